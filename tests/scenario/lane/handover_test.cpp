// What the next owner of a lane continues from: clocks, counters and decisions, as if the lane had never been closed;
// and what it verifies before any irreversible action.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lane/bump/policies.hpp"
#include "support/conditions.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::Not;

/// Moves the lane to another node, by release or by crash, any number of times.
class Handovers {
public:
    explicit Handovers(LaneScenario& scenario) : scenario_(scenario) { take_over(); }

    void release() {
        owner_->release();
        ASSERT_TRUE(scenario_.run_until([&] { return owner_->is_released(); }, 1min));
        take_over();
    }
    void crash() {
        scenario_.kill(*owner_);
        take_over();
    }

private:
    void take_over() { owner_ = &scenario_.start(fmt::format("node-{}", ++count_)); }

    LaneScenario& scenario_;
    Node* owner_ = nullptr;
    int count_ = 0;
};

TEST(LaneHandover, Failure52ResendsContinueAcrossShortLivedOwners) {
    LaneScenario scenario({.lane = {.confirmations_required = 3, .resubmit_interval = 8s}});
    scenario.set_mining(false);
    Handovers handovers(scenario);
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_tracking(scenario, tx));
    const auto hash = *scenario.view(tx).hash;
    const auto before = scenario.times_sent(hash);
    for (int i = 0; i < 11; ++i) {
        scenario.run_for(6s);
        handovers.release();
    }
    EXPECT_EQ(scenario.times_sent(hash), before + 3) << "after 8, 24 and 56 seconds, and not with every handover";
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(LaneHandover, Failure52BumpsContinueAcrossShortLivedOwners) {
    LaneScenario scenario(
        {.lane = {
             .confirmations_required = 3, .resubmit_interval = 1h, .bump = {.enabled = true, .min_interval = 30s}}});
    Handovers handovers(scenario);
    scenario.run_for(5s);
    scenario.set_mining(false);
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_tracking(scenario, tx));
    for (int i = 0; i < 12; ++i) {
        scenario.run_for(7s);
        handovers.release();
    }
    EXPECT_GE(scenario.attempts(tx).size(), 3U);
    EXPECT_LE(scenario.attempts(tx).size(), 4U);
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

bool claims(const LaneWrite& write) {
    return std::ranges::any_of(write.transactions, [](const TxUpdate& update) {
        return std::ranges::any_of(update.history,
                                   [](const HistoryStep& step) { return step.kind == HistoryKind::resubmitted; });
    });
}

TEST(LaneHandover, Failure52NextOwnerSendsAClaimedResend) {
    LaneScenario scenario({.lane = {.confirmations_required = 3, .resubmit_interval = 40s}});
    scenario.set_mining(false);
    auto& first = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_tracking(scenario, tx));
    const auto hash = *scenario.view(tx).hash;
    const auto sent = scenario.times_sent(hash);
    bool killed = false;
    scenario.points.watch([&](const std::string& point) {
        if (killed || point != "written" || !claims(first.store().written().back().first)) return;
        killed = true;
        scenario.kill(first);
    });
    ASSERT_TRUE(scenario.run_until([&] { return killed; }, 2min));
    EXPECT_EQ(scenario.times_sent(hash), sent);
    scenario.start("b");
    EXPECT_TRUE(scenario.run_until([&] { return scenario.times_sent(hash) > sent; }, 15s)) << "once the lease is over";
}

TEST(LaneHandover, Failure57NextOwnerKeepsAHandOverToAnOperator) {
    lane::AlwaysDecide policy(StuckDecision::hand_to_person);
    LaneScenario scenario({.lane = tries_thrice, .stuck_policy = &policy});
    scenario.set_mining(false);
    Handovers handovers(scenario);
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_at(scenario, tx, {State::stuck, SubState::none}));
    scenario.run_for(5s);
    const auto sent = scenario.times_sent(*scenario.view(tx).hash);
    for (int i = 0; i < 5; ++i) {
        handovers.crash();
        scenario.run_for(1min);
    }
    EXPECT_EQ(scenario.times_sent(*scenario.view(tx).hash), sent);
    EXPECT_EQ(scenario.state(tx), State::stuck);
    EXPECT_EQ(scenario.telemetry.of(Counter::stuck_decision, "hand_to_person"), 1U);
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled()) << "it was in the pools all the time";
    scenario.expect_lawful();
}

TEST(LaneHandover, Failure57CountsTriesAcrossOwners) {
    LaneScenario scenario({.lane = tries_thrice});
    scenario.set_mining(false);
    Handovers handovers(scenario);
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_tracking(scenario, tx));
    for (int i = 0; i < 12 && scenario.state(tx) != State::stuck; ++i) {
        scenario.run_for(6s);
        handovers.release();
    }
    EXPECT_THAT(scenario.history_kinds(tx), Contains("stuck"));
}

TEST(LaneHandover, Failure57NextOwnerExecutesAPolicyDecision) {
    lane::AlwaysDecide policy(StuckDecision::filler);
    LaneScenario scenario({.lane = tries_thrice, .stuck_policy = &policy});
    scenario.set_mining(false);
    auto& first = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    bool killed = false;
    scenario.points.watch([&](const std::string& point) {
        if (killed || point != "written") return;
        const auto& written = first.store().written().back().first;
        for (const auto& update : written.transactions)
            for (const auto& step : update.history)
                killed = killed || step.detail == "decided: filler";
        if (killed) scenario.kill(first);
    });
    ASSERT_TRUE(scenario.run_until([&] { return killed; }, 10min));
    ASSERT_EQ(scenario.attempts(tx).size(), 1U);
    scenario.run_for(1min);  // its resend is overdue, and comes before verified decisions
    scenario.start("b");
    ASSERT_TRUE(run_until_attempts(scenario, tx, 2));
    EXPECT_EQ(scenario.telemetry.of(Counter::stuck_decision, "filler"), 1U) << "it was asked once";
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.view(tx).position, (Position{State::failed_final, SubState::timeout}));
    scenario.expect_lawful();
}

// All deadlines have passed: bump, STUCK, and a time-out with a gap filler.
lane::LaneOptions everything_due() {
    return {.confirmations_required = 3,
            .resubmit_interval = 20s,
            .bump = {.enabled = true, .min_interval = 30s},
            .stuck_after = 10min,
            .transaction_timeout = 5min,
            .fail_on_timeout = true,
            .stale_receipt_timeout = 10min,
            .reconcile_interval = 30min};
}

/// The owner crashes with `count` transactions in flight, and no node runs for an hour; the chain continues, or
/// produces no blocks.
std::vector<TxId> leave_for_an_hour(LaneScenario& scenario, std::size_t count, bool mines) {
    auto& owner = scenario.start("a");
    scenario.run_for(5s);
    scenario.set_mining(false);
    auto sent = scenario.accept(scenario.alice, count);
    EXPECT_TRUE(scenario.run_until([&] { return scenario.state(sent.back()) == State::tracking; }));
    scenario.kill(owner);
    scenario.set_mining(mines);
    scenario.run_for(1h);
    return sent;
}

TEST(LaneHandover, TransactionMinedWhileNoNodeRanIsNeitherBumpedNorAbandoned) {
    LaneScenario scenario({.lane = everything_due()});
    const auto sent = leave_for_an_hour(scenario, 16, true);
    scenario.start("b");
    ASSERT_TRUE(scenario.run_until_settled());
    for (const auto tx : sent) {
        EXPECT_EQ(scenario.state(tx), State::confirmed);
        EXPECT_EQ(scenario.attempts(tx).size(), 1U) << "no bump, no gap filler";
        EXPECT_THAT(scenario.history_kinds(tx), Each(Not("stuck")));
    }
    scenario.expect_lawful();
}

// The same with a chain that does not answer at first: nothing happens to a transaction that may be mined.
TEST(LaneHandover, NoIrreversibleDecisionWithoutChainAnswers) {
    auto options = everything_due();
    options.fail_on_timeout = false;
    LaneScenario scenario({.lane = options});
    const auto tx = leave_for_an_hour(scenario, 1, false).front();
    auto& second = scenario.start("b");
    ASSERT_TRUE(scenario.run_until([&] { return second.store().written().size() > 0; }, 1min)) << "it has opened";
    scenario.one.options().faults = {.reads_refused = 1'000};
    scenario.two.options().faults = {.reads_refused = 1'000};
    scenario.run_for(10min);
    EXPECT_EQ(scenario.attempts(tx).size(), 1U);
    EXPECT_NE(scenario.view(tx).position.sub, SubState::timeout);
    EXPECT_THAT(scenario.history_kinds(tx), Each(Not("stuck")));
    scenario.one.options().faults = {};
    scenario.two.options().faults = {};
    ASSERT_TRUE(scenario.run_until([&] { return scenario.view(tx).position.sub == SubState::timeout; }, 2min))
        << "it is not mined, and old";
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

// An operator's cancel also verifies first.
TEST(LaneHandover, CommandForAMinedTransactionIsTooLate) {
    auto options = everything_due();
    options.fail_on_timeout = false;
    LaneScenario scenario({.lane = options});
    const auto tx = leave_for_an_hour(scenario, 1, true).front();
    scenario.post(CommandKind::cancel, tx);
    scenario.start("b");
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    EXPECT_EQ(scenario.attempts(tx).size(), 1U);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.pending_commands().empty(); }));
    scenario.expect_lawful();
}

}  // namespace
}  // namespace fencepost::scenario
