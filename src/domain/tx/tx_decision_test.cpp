#include "domain/tx/tx_decision.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fencepost {
namespace {

using namespace std::chrono_literals;
using Mark = TxDecision::Mark;
using Replacement = TxDecision::Replacement;

constexpr Instant now{1h};
constexpr Instant later = now + 10s;
constexpr Instant never = Instant::max();

/// A transaction that was sent a minute ago and is held by an endpoint, with nothing due.
struct Given {
    Transaction tx{.id = {},
                   .submitter = SubmitterId::parse("eip155:1:0x1000000000000000000000000000000000000002").value()};
    TxFacts facts;
    TxContext around;
    TxRules rules{.resubmit = {}, .bump = {.enabled = true}, .transaction_timeout = 30min};

    Given() {
        tx.position = {State::tracking, SubState::none};
        tx.nonce = Nonce(7);
        tx.attempts = {Attempt{.nonce = Nonce(7)}};
        facts = {.first_sent = now - 1min, .resend_due = later, .bump_due = now + 20s, .stuck_due = now + 1h};
    }
    [[nodiscard]] TxDecision decide() const { return fencepost::decide(tx, facts, around, rules, now); }
};

struct Row {
    std::string name;
    std::function<void(Given&)> change;
    TxDecision expected;
};

void mine(Given& given) {
    given.tx.position = {State::tracking, SubState::mined};
    given.tx.receipt = Receipt{};
}
void make_stuck(Given& given) { given.tx.position = {State::stuck, SubState::none}; }
void remove_after_verdict(Given& given) { given.tx.position = {State::confirmed, SubState::forked}; }
void remove_after_cancel(Given& given) {
    given.tx.position = {State::cancelled, SubState::forked};
    given.tx.abandonment = Abandonment::cancelled;
}
void abandon(Given& given) {
    given.tx.position = {State::tracking, SubState::cancelling};
    given.tx.abandonment = Abandonment::cancelled;
}
void age(Given& given) { given.facts.first_sent = now - 30min; }

const std::vector<Row>& rows() {
    static const std::vector<Row> all{
        {"nothing is due: wakes up at the first deadline", [](Given&) {}, {.wake_at = later}},
        {"its resend is due", [](Given& g) { g.facts.resend_due = now; }, {.resend = true, .wake_at = now + 20s}},
        {"a resend waits for the gap below",
         [](Given& g) {
             g.facts.resend_due = now;
             g.around.behind_gap = true;
         },
         {.waits_for_gap = true, .wake_at = now + 20s}},
        {"its bump is due",
         [](Given& g) { g.facts.bump_due = now; },
         {.replacement = Replacement::bump, .wake_at = later}},
        {"a bump waits for the gap below",
         [](Given& g) {
             g.facts.bump_due = now;
             g.around.behind_gap = true;
         },
         {.waits_for_gap = true, .wake_at = later}},
        {"no bump if bumps are off",
         [](Given& g) {
             g.facts.bump_due = now;
             g.rules.bump.enabled = false;
         },
         {.wake_at = later}},
        {"no more bumps than allowed",
         [](Given& g) {
             g.facts.bump_due = now;
             g.rules.bump.max_attempts = 1;
             g.tx.attempts.push_back({.kind = AttemptKind::bump, .nonce = Nonce(7)});
         },
         {.wake_at = later}},
        {"a gap filler is bumped although bumps are off",
         [](Given& g) {
             abandon(g);
             g.facts.bump_due = now;
             g.rules.bump.enabled = false;
         },
         {.replacement = Replacement::bump, .wake_at = later}},
        {"no bump for an account that cannot pay",
         [](Given& g) {
             g.tx.position.sub = SubState::underfunded;
             g.facts.bump_due = now;
         },
         {.wake_at = later}},
        {"no bump beyond the cap, and the mark stays",
         [](Given& g) {
             g.facts.fee_capped = true;
             g.facts.bump_due = now;
         },
         {.mark = Mark::fee_capped, .wake_at = later}},
        {"marked at the cap: only its bytes are resent",
         [](Given& g) {
             g.tx.position.sub = SubState::fee_capped;
             g.facts.fee_capped = true;
             g.facts.bump_due = now;
         },
         {.wake_at = later}},
        {"too old: marked", [](Given& g) { age(g); }, {.mark = Mark::timed_out, .wake_at = later}},
        {"too old: a gap filler, if configured",
         [](Given& g) {
             age(g);
             g.rules.fail_on_timeout = true;
         },
         {.replacement = Replacement::fill_timed_out, .wake_at = later}},
        {"too old, and abandoned already: nothing new",
         [](Given& g) {
             age(g);
             abandon(g);
             g.rules.fail_on_timeout = true;
         },
         {.wake_at = later}},
        {"never sent: it has no age",
         [](Given& g) {
             g.tx.position = {State::allocated, SubState::none};
             g.facts.first_sent.reset();
         },
         {.wake_at = later}},
        {"not mined for too long: stuck",
         [](Given& g) { g.facts.stuck_due = now; },
         {.mark = Mark::stuck, .wake_at = now + 20s}},
        {"sent too often: stuck", [](Given& g) { g.facts.tries = 11; }, {.mark = Mark::stuck, .wake_at = now + 20s}},
        {"abandoned: never marked stuck",
         [](Given& g) {
             abandon(g);
             g.facts.stuck_due = now;
         },
         {.wake_at = later}},
        {"stuck: the policy is asked, and nothing is sent meanwhile",
         [](Given& g) {
             make_stuck(g);
             g.facts.resend_due = now;
         },
         {.ask_policy = true, .wake_at = now + 20s}},
        {"stuck, and the policy decided to wait: it is resent",
         [](Given& g) {
             make_stuck(g);
             g.facts.stuck_decision = StuckDecision::wait;
             g.facts.resend_due = now;
         },
         {.resend = true, .wake_at = now + 20s}},
        {"stuck, and handed over to an operator: no action",
         [](Given& g) {
             make_stuck(g);
             g.facts.stuck_decision = StuckDecision::hand_to_person;
             g.facts.with_operator = true;
             g.facts.resend_due = g.facts.bump_due = now;
         },
         {.wake_at = now + 29min}},
        {"the policy decided on a gap filler",
         [](Given& g) {
             make_stuck(g);
             g.facts.stuck_decision = StuckDecision::filler;
         },
         {.replacement = Replacement::fill_as_decided, .wake_at = later}},
        {"the policy decided on a gap filler, and it was resent meanwhile",
         [](Given& g) { g.facts.stuck_decision = StuckDecision::filler; },
         {.replacement = Replacement::fill_as_decided, .wake_at = later}},
        {"the policy decided on a bump, and it was resent meanwhile: it is not marked stuck again",
         [](Given& g) {
             g.facts.stuck_decision = StuckDecision::bump;
             g.facts.stuck_due = now;
         },
         {.replacement = Replacement::bump_as_decided, .wake_at = later}},
        {"a policy decision waits for verification; its bytes are resent",
         [](Given& g) {
             make_stuck(g);
             g.facts.stuck_decision = StuckDecision::filler;
             g.facts.resend_due = now;
             g.around.verified = false;
         },
         {.resend = true, .verify = true, .wake_at = now + 29min}},
        {"refused by all too often: a gap filler",
         [](Given& g) { g.facts.refusal_rounds = 3; },
         {.replacement = Replacement::fill_refused, .wake_at = later}},
        {"nothing irreversible before verification",
         [](Given& g) {
             age(g);
             g.facts.bump_due = g.facts.stuck_due = now;
             g.around.verified = false;
         },
         {.verify = true, .wake_at = later}},
        {"marked stuck, it is not resent in the same decision",
         [](Given& g) { g.facts.stuck_due = g.facts.resend_due = now; },
         {.mark = Mark::stuck, .wake_at = now + 20s}},
        {"nothing else is started during a send",
         [](Given& g) {
             g.around.activity = Activity::sending;
             g.facts.resend_due = g.facts.bump_due = g.facts.stuck_due = now;
         },
         {.wake_at = never}},
        {"nothing is sent while a replacement is signed",
         [](Given& g) {
             g.around.activity = Activity::signing;
             g.facts.resend_due = now;
         },
         {.wake_at = never}},
        {"a replacement is requested: it is neither marked nor bumped, but resent",
         [](Given& g) {
             g.around.replacement_wanted = true;
             g.facts.resend_due = g.facts.bump_due = g.facts.stuck_due = now;
         },
         {.resend = true, .wake_at = never}},
        {"mined: only the chain decides", [](Given& g) { mine(g); }, {.wake_at = never}},
        {"its nonce is consumed externally: nothing is sent",
         [](Given& g) {
             g.tx.position = {State::stuck, SubState::nonce_taken};
             g.around.nonce_used_externally = true;
             g.facts.resend_due = g.facts.bump_due = g.facts.stuck_due = now;
         },
         {.wake_at = never}},
        {"settled, and removed by a reorg: its bytes are resent",
         [](Given& g) {
             remove_after_verdict(g);
             g.facts.resend_due = now;
         },
         {.resend = true, .wake_at = now + 20s}},
        {"settled, and removed by a reorg: it is bumped",
         [](Given& g) {
             remove_after_verdict(g);
             g.facts.bump_due = now;
         },
         {.replacement = Replacement::bump, .wake_at = later}},
        {"settled, and removed by a reorg: no bump if bumps are off",
         [](Given& g) {
             remove_after_verdict(g);
             g.facts.bump_due = now;
             g.rules.bump.enabled = false;
         },
         {.wake_at = later}},
        {"settled, and removed by a reorg: no more bumps than allowed",
         [](Given& g) {
             remove_after_verdict(g);
             g.facts.bump_due = now;
             g.rules.bump.max_attempts = 1;
             g.tx.attempts.push_back({.kind = AttemptKind::bump, .nonce = Nonce(7)});
         },
         {.wake_at = later}},
        {"settled, and removed by a reorg: a bump waits for the gap below",
         [](Given& g) {
             remove_after_verdict(g);
             g.facts.bump_due = now;
             g.around.behind_gap = true;
         },
         {.waits_for_gap = true, .wake_at = later}},
        {"settled, and removed by a reorg: at the cap it is neither bumped nor marked",
         [](Given& g) {
             remove_after_verdict(g);
             g.facts.bump_due = now;
             g.facts.fee_capped = true;
         },
         {.wake_at = later}},
        {"settled, and removed by a reorg: never timed out, stuck, or abandoned automatically",
         [](Given& g) {
             remove_after_verdict(g);
             age(g);
             g.rules.fail_on_timeout = true;
             g.facts.stuck_due = now;
             g.facts.tries = 11;
         },
         {.wake_at = later}},
        {"settled, and removed by a reorg: no second replacement request",
         [](Given& g) {
             remove_after_verdict(g);
             g.facts.bump_due = now;
             g.around.replacement_wanted = true;
         },
         {.wake_at = later}},
        {"settled, and an external transaction consumed its nonce: nothing is sent or bumped",
         [](Given& g) {
             remove_after_verdict(g);
             g.facts.resend_due = g.facts.bump_due = now;
             g.around.nonce_used_externally = true;
         },
         {.wake_at = never}},
        {"settled and not removed: nothing is due",
         [](Given& g) {
             g.tx.position = {State::confirmed, SubState::none};
             g.tx.receipt = Receipt{};
             g.facts.resend_due = g.facts.bump_due = now;
         },
         {.wake_at = never}},
        {"cancelled, and its gap filler removed by a reorg: that is bumped although bumps are off",
         [](Given& g) {
             remove_after_cancel(g);
             g.facts.bump_due = now;
             g.rules.bump.enabled = false;
         },
         {.replacement = Replacement::bump, .wake_at = later}},
        {"confirmed, removed by a reorg and revoked: the gap filler is bumped although bumps are off",
         [](Given& g) {
             remove_after_verdict(g);
             g.tx.revoke();
             g.facts.bump_due = now;
             g.rules.bump.enabled = false;
         },
         {.replacement = Replacement::bump, .wake_at = later}},
        {"resends are off: held bytes are not resent",
         [](Given& g) {
             g.rules.resubmit.enabled = false;
             g.facts.resend_due = now;
         },
         {.wake_at = now + 20s}},
        {"resends are off: bytes that no endpoint holds are still sent",
         [](Given& g) {
             g.rules.resubmit.enabled = false;
             g.facts.missing = true;
             g.facts.resend_due = now;
         },
         {.resend = true, .wake_at = now + 20s}},
        {"in the grey zone it is looked up first",
         [](Given& g) {
             g.tx.position = {State::unknown_submit_result, SubState::none};
             g.facts.resend_due = g.facts.bump_due = g.facts.stuck_due = now;
         },
         {.wake_at = never}},
        {"in the grey zone an earlier policy decision waits",
         [](Given& g) {
             g.tx.position = {State::unknown_submit_result, SubState::none};
             g.facts.stuck_decision = StuckDecision::bump;
         },
         {.wake_at = never}},
    };
    return all;
}

TEST(TxDecision, FollowsFromTheFacts) {
    for (const auto& row : rows()) {
        Given given;
        row.change(given);
        const auto decision = given.decide();
        EXPECT_EQ(decision.mark, row.expected.mark) << row.name;
        EXPECT_EQ(decision.replacement, row.expected.replacement) << row.name;
        EXPECT_EQ(decision.resend, row.expected.resend) << row.name;
        EXPECT_EQ(decision.ask_policy, row.expected.ask_policy) << row.name;
        EXPECT_EQ(decision.waits_for_gap, row.expected.waits_for_gap) << row.name;
        EXPECT_EQ(decision.wake_at, row.expected.wake_at) << row.name;
    }
}

TEST(TxDecision, NothingIsDueBeforeItsWakeUp) {
    for (const auto& row : rows()) {
        Given given;
        row.change(given);
        const auto decision = given.decide();
        if (decision.records() || decision.waits_for_gap || decision.wake_at == never) continue;
        const auto just_before =
            decide(given.tx, given.facts, given.around, given.rules, decision.wake_at - Duration{1});
        EXPECT_FALSE(just_before.records() || just_before.waits_for_gap) << row.name;
        const auto then = decide(given.tx, given.facts, given.around, given.rules, decision.wake_at);
        EXPECT_TRUE(then.records() || then.waits_for_gap) << row.name;
    }
}

}  // namespace
}  // namespace fencepost
