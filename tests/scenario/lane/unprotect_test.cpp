// Unprotect: the cursor moves past external transactions, and nothing is lost, allocated twice, or done before
// finality.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text/hex.hpp"
#include "support/conditions.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::HasSubstr;

SubmitterStatus status(const LaneScenario& scenario) { return scenario.submitter(scenario.alice).status.status; }

bool run_until_status(LaneScenario& scenario, SubmitterStatus wanted) {
    return scenario.run_until([&] { return status(scenario) == wanted; }, 1min);
}

void unprotect(LaneScenario& scenario) {
    scenario.post(CommandKind::unprotect, scenario.alice);
    scenario.run_for(3s);
    EXPECT_TRUE(scenario.get(scenario.store->pending(scenario.alice)).value().empty()) << "done or refused, at once";
}

// Alice has sent one transaction and an external sender two, and her lane has detected it.
struct UsedOutside {
    explicit UsedOutside(LaneScenario& scenario) {
        auto& node = scenario.start("a");
        scenario.accept(scenario.alice);
        EXPECT_TRUE(scenario.run_until([&] { return node.host().is_idle(scenario.alice); }));
        scenario.network.inject(scenario.sign_externally(scenario.alice, Nonce(1)).raw);
        scenario.network.inject(scenario.sign_externally(scenario.alice, Nonce(2)).raw);
        scenario.network.mine();
        EXPECT_TRUE(run_until_status(scenario, SubmitterStatus::protect)) << scenario.log.text();
    }
};

TEST(LaneUnprotect, MovesTheCursorPastFinalExternalTransactions) {
    LaneScenario scenario({.lane = reconciles_soon});
    const UsedOutside used(scenario);
    scenario.set_mining(false);
    unprotect(scenario);
    EXPECT_EQ(status(scenario), SubmitterStatus::protect);
    EXPECT_TRUE(
        scenario.log.has(Severity::warning, "nonces 1 to 2 were used by external transactions that are not final"))
        << scenario.log.text();
    scenario.set_mining(true);
    scenario.run_for(30s);
    unprotect(scenario);
    EXPECT_EQ(status(scenario), SubmitterStatus::active) << scenario.log.text();
    EXPECT_EQ(scenario.submitter(scenario.alice).next_nonce, Nonce(3));
    EXPECT_EQ(scenario.get(scenario.store->load(scenario.alice)).value().watch_from, Nonce(3)) << "nothing to watch";
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(tx) == State::confirmed; }, 1min));
    EXPECT_EQ(scenario.view(tx).nonce, Nonce(3));
    scenario.run_for(1min);
    EXPECT_EQ(status(scenario), SubmitterStatus::active);
}

TEST(LaneUnprotect, Failure29FailsTheLostNonceAndContinuesTheQueue) {
    LaneScenario scenario({.lane = {.window = 1, .confirmations_required = 3, .reconcile_interval = 5s}});
    scenario.set_mining(false);
    scenario.start("a");
    const auto taken = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(taken) == State::tracking; }));
    const auto behind = scenario.accept(scenario.alice);
    const auto foreign = scenario.sign_externally(scenario.alice, Nonce(0), 50);
    ASSERT_TRUE(is_held(scenario.network.inject(foreign.raw).outcome));
    scenario.network.mine();
    ASSERT_TRUE(run_until_status(scenario, SubmitterStatus::protect)) << scenario.log.text();
    unprotect(scenario);
    EXPECT_EQ(status(scenario), SubmitterStatus::protect) << "a reorg may still free the nonce";
    scenario.set_mining(true);
    scenario.run_for(30s);
    unprotect(scenario);
    EXPECT_EQ(status(scenario), SubmitterStatus::active) << scenario.log.text();
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(behind) == State::confirmed; }, 1min));
    EXPECT_EQ(scenario.view(behind).nonce, Nonce(1));
    EXPECT_EQ(scenario.view(taken).position, (Position{State::failed_final, SubState::nonce_taken}));
    EXPECT_EQ(scenario.times_sent(*scenario.view(taken).hash), 1U) << "never queued again silently";
}

TEST(LaneUnprotect, StoppedNewSubmitterStartsAtTheChainsCount) {
    LaneScenario scenario({.lane = {.confirmations_required = 3, .start_from = Nonce(0)}});
    scenario.network.inject(scenario.sign_externally(scenario.alice, Nonce(0)).raw);
    scenario.network.mine();
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_status(scenario, SubmitterStatus::protect));
    unprotect(scenario);
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    EXPECT_EQ(scenario.view(tx).nonce, Nonce(1));
    EXPECT_EQ(scenario.state(tx), State::confirmed);
}

TEST(LaneUnprotect, KeepsTransactionsInFlight) {
    LaneScenario scenario;
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(tx) == State::tracking; }));
    scenario.post(CommandKind::protect, scenario.alice, "the key may have leaked");
    ASSERT_TRUE(run_until_status(scenario, SubmitterStatus::protect));
    unprotect(scenario);
    EXPECT_EQ(status(scenario), SubmitterStatus::active);
    EXPECT_EQ(scenario.submitter(scenario.alice).next_nonce, Nonce(1));
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    scenario.expect_lawful();
}

TEST(LaneUnprotect, IsRefusedWithoutAnswers) {
    LaneScenario scenario({.lane = reconciles_soon});
    const UsedOutside used(scenario);
    scenario.run_for(30s);
    scenario.one.set_down(true);
    scenario.two.set_down(true);
    scenario.post(CommandKind::unprotect, scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.log.has(Severity::warning, "Unprotect refused"); }));
    EXPECT_EQ(status(scenario), SubmitterStatus::protect);
    EXPECT_EQ(scenario.submitter(scenario.alice).next_nonce, Nonce(1));
}

TEST(LaneUnprotect, LaterCommandsRunAfterUnprotect) {
    LaneScenario scenario;
    scenario.start("a");
    scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.post(CommandKind::protect, scenario.alice, "first");
    scenario.post(CommandKind::unprotect, scenario.alice);
    scenario.post(CommandKind::protect, scenario.alice, "second");
    scenario.run_for(10s);
    EXPECT_EQ(status(scenario), SubmitterStatus::protect);
    EXPECT_EQ(scenario.submitter(scenario.alice).status.reason, "second");
}

TEST(LaneUnprotect, DoesNotLiftAPause) {
    LaneScenario scenario;
    scenario.start("a");
    scenario.post(CommandKind::pause, scenario.alice, "lunch");
    scenario.run_for(3s);
    unprotect(scenario);
    EXPECT_EQ(status(scenario), SubmitterStatus::paused);
    EXPECT_TRUE(scenario.log.has(Severity::warning, "the submitter is not stopped"));
}

}  // namespace
}  // namespace fencepost::scenario
