// Transactions that are not mined: STUCK, decided by a policy, and TIMEOUT, decided by configuration.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lane/bump/policies.hpp"
#include "support/conditions.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

lane::LaneOptions times_out(bool fails) {
    return {.window = 1,
            .confirmations_required = 3,
            .resubmit_interval = 5s,
            .transaction_timeout = 1min,
            .fail_on_timeout = fails};
}

bool run_until_stuck(LaneScenario& scenario, TxId tx) {
    return scenario.run_until([&] { return scenario.state(tx) == State::stuck; }, 10min);
}

TEST(LaneStuck, IsStuckAfterMaxAttemptsAndContinuesByDefault) {
    LaneScenario scenario({.lane = tries_thrice});
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_stuck(scenario, tx));
    scenario.run_for(500ms);
    EXPECT_EQ(scenario.telemetry.of(Counter::stuck_decision, "wait"), 1U);
    const auto sent = scenario.times_sent(*scenario.view(tx).hash);
    scenario.run_for(10min);
    EXPECT_GT(scenario.times_sent(*scenario.view(tx).hash), sent);
    EXPECT_EQ(scenario.attempts(tx).size(), 1U) << "it never cancels or replaces automatically";
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    EXPECT_THAT(scenario.history_kinds(tx), Contains("stuck"));
    scenario.expect_lawful();
}

TEST(LaneStuck, PolicyMayBumpOrFillAfterRecordingItsDecision) {
    for (const auto decision : {StuckDecision::bump, StuckDecision::filler}) {
        lane::AlwaysDecide policy(decision);
        LaneScenario scenario({.lane = tries_thrice, .stuck_policy = &policy});
        scenario.set_mining(false);
        auto& node = scenario.start("a");
        const auto tx = scenario.accept(scenario.alice);
        ASSERT_TRUE(run_until_attempts(scenario, tx, 2));
        std::size_t decided = 0;
        std::size_t acted = 0;
        std::size_t number = 0;
        for (const auto& [write, answer] : node.store().written()) {
            ++number;
            for (const auto& update : write.transactions) {
                for (const auto& step : update.history)
                    if (step.detail == fmt::format("decided: {}", name_of(decision))) decided = number;
                if (!update.nonce && !update.attempts.empty()) acted = number;
            }
        }
        EXPECT_GT(decided, 0U);
        EXPECT_LT(decided, acted);
        scenario.set_mining(true);
        ASSERT_TRUE(scenario.run_until_settled());
        EXPECT_EQ(scenario.state(tx), decision == StuckDecision::bump ? State::confirmed : State::failed_final);
        scenario.expect_lawful();
    }
}

TEST(LaneStuck, HandedOverTransactionRestsUntilACommand) {
    lane::AlwaysDecide policy(StuckDecision::hand_to_person);
    LaneScenario scenario({.lane = tries_thrice, .stuck_policy = &policy});
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_stuck(scenario, tx));
    scenario.run_for(1s);
    EXPECT_TRUE(scenario.log.has(Severity::alert, "an operator must decide"));
    const auto sent = scenario.times_sent(*scenario.view(tx).hash);
    scenario.run_for(10min);
    EXPECT_EQ(scenario.times_sent(*scenario.view(tx).hash), sent);
    EXPECT_EQ(scenario.state(tx), State::stuck);
    scenario.post(CommandKind::cancel, tx);
    ASSERT_TRUE(run_until_attempts(scenario, tx, 2));
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::cancelled);
    scenario.expect_lawful();
}

TEST(LaneTimeout, CountsFromTheFirstSubmitAndContinuesUnderANewOwner) {
    LaneScenario scenario({.lane = times_out(false)});
    scenario.set_mining(false);
    auto& first = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    scenario.run_for(40s);
    EXPECT_NE(scenario.view(tx).position.sub, SubState::timeout);
    scenario.kill(first);
    scenario.start("b");
    scenario.run_for(35s);
    EXPECT_EQ(scenario.view(tx).position, (Position{State::tracking, SubState::timeout}));
    const auto sent = scenario.times_sent(*scenario.view(tx).hash);
    scenario.run_for(5min);
    EXPECT_GT(scenario.times_sent(*scenario.view(tx).hash), sent);
    EXPECT_EQ(scenario.view(tx).position, (Position{State::tracking, SubState::timeout}));
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    scenario.expect_lawful();
}

TEST(LaneTimeout, FailOnTimeoutFillsTheNonceAndCancelsTheQueue) {
    LaneScenario scenario({.lane = times_out(true)});
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    const auto queued = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_attempts(scenario, tx, 2));
    EXPECT_EQ(scenario.view(tx).position.sub, SubState::cancelling);
    scenario.run_for(5s);
    EXPECT_EQ(scenario.view(queued).position, (Position{State::cancelled, SubState::timeout}));
    EXPECT_FALSE(scenario.view(queued).nonce);
    EXPECT_FALSE(is_final(scenario.state(tx)));
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.view(tx).position, (Position{State::failed_final, SubState::timeout}));
    EXPECT_EQ(scenario.view(tx).error, "timed out");
    scenario.expect_lawful();
}

}  // namespace
}  // namespace fencepost::scenario
