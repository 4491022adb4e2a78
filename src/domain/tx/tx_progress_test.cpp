#include "domain/tx/tx_progress.hpp"

#include <gtest/gtest.h>

namespace fencepost {
namespace {

using namespace std::chrono_literals;

constexpr Instant written{100s};
const UnixTime written_at{1'000'000s};

TxFacts some_facts() {
    return {.first_sent = written - 50s,
            .resend_due = written + 60s,
            .bump_due = written + 70s,
            .stuck_due = written + 1h,
            .lookup_deadline = written + 5min,
            .send_claimed = true,
            .was_held = true,
            .missing = true,
            .fee_capped = true,
            .resends = 2,
            .unaccepted_sends = 3,
            .tries = 4,
            .refusal_rounds = 5,
            .stuck_decision = StuckDecision::bump,
            .with_operator = true};
}

// Another process: its monotonic clock is unrelated to the first one's.
constexpr Instant elsewhere{7s};

TEST(TxProgress, NextOwnerRestoresTheSameFacts) {
    const auto progress = progress_of(some_facts(), written, written_at);
    auto expected = some_facts();
    const auto moved = elsewhere - (written + 30s);
    *expected.first_sent += moved;
    expected.resend_due += moved;
    expected.bump_due += moved;
    expected.stuck_due += moved;
    *expected.lookup_deadline += moved;
    EXPECT_EQ(facts_of(progress, 30s, elsewhere, written_at + 30s), expected);
}

TEST(TxProgress, ClockSetForwardMakesNothingDueEarly) {
    const auto progress = progress_of(some_facts(), written, written_at);
    const auto right = facts_of(progress, 30s, elsewhere, written_at + 30s);
    EXPECT_EQ(facts_of(progress, 1h + 30s, elsewhere, written_at + 30s), right) << "the database's";
    EXPECT_EQ(facts_of(progress, 30s, elsewhere, written_at + 1h), right) << "the node's";
}

TEST(TxProgress, ClockSetBackOnlyDelays) {
    const auto progress = progress_of(some_facts(), written, written_at);
    const auto facts = facts_of(progress, -1h, elsewhere, written_at + 30s);
    EXPECT_EQ(facts.resend_due, elsewhere + 60s) << "as if no time had passed";
    EXPECT_EQ(*facts.first_sent, elsewhere - 50s);
}

TEST(TxProgress, SendsOfAnotherLaneMayBeHeld) {
    TxFacts facts;
    facts.may_be_held = false;
    EXPECT_TRUE(facts_of(progress_of(facts, written, written_at), 0s, elsewhere, written_at).may_be_held);
}

}  // namespace
}  // namespace fencepost
