// The nonce bootstrap of a new submitter, and the check of a known one: chain and database are compared before anything
// is allocated.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text/hex.hpp"
#include "support/lane_scenario.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::HasSubstr;

// The account has used this many nonces before.
void make_history(LaneScenario& scenario, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i)
        scenario.network.inject(scenario.sign_externally(scenario.alice, Nonce(i)).raw);
    scenario.network.mine();
    scenario.network.mine();
}

void expect_protected(LaneScenario& scenario, const std::string& reason) {
    const auto status = scenario.submitter(scenario.alice).status;
    EXPECT_EQ(status.status, SubmitterStatus::protect);
    EXPECT_THAT(status.reason, HasSubstr(reason));
    EXPECT_TRUE(scenario.log.has(Severity::alert, reason)) << scenario.log.text();
    EXPECT_EQ(scenario.offer(scenario.alice, LaneScenario::transfer(1)).kind, AcceptKind::submitter_protected);
}

TEST(LaneNonceBootstrap, CursorStartsAtTheChainsCount) {
    LaneScenario scenario;
    make_history(scenario, 3);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.view(tx).nonce, Nonce(3));
    EXPECT_EQ(scenario.state(tx), State::confirmed);
}

TEST(LaneNonceBootstrap, AlertsAfterTheCommitAndBacksOffOnABusyRow) {
    LaneScenario scenario({.lane = {.start_from = Nonce(7)}});
    auto& node = scenario.start("a");
    node.store().answer_writes_busy(500);
    scenario.accept(scenario.alice);
    scenario.run_for(2s);
    EXPECT_FALSE(scenario.log.has(Severity::alert, "stopped"));
    EXPECT_GT(node.store().busy_writes_left(), 250U);
    node.store().answer_writes_busy(0);
    scenario.run_for(1s);
    expect_protected(scenario, "startFrom is 7");
    EXPECT_EQ(scenario.log.count(Severity::alert, "stopped"), 1U);
}

TEST(LaneNonceBootstrap, StartFromZeroAllowsANewAddress) {
    LaneScenario scenario({.lane = {.confirmations_required = 3, .start_from = Nonce(0)}});
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.view(tx).nonce, Nonce(0));
    scenario.expect_lawful();
}

TEST(LaneNonceBootstrap, StartFromZeroStopsAnAddressWithAHistory) {
    LaneScenario scenario({.lane = {.confirmations_required = 3, .start_from = Nonce(0)}});
    make_history(scenario, 3);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    scenario.run_for(10s);
    expect_protected(scenario, "startFrom is 0, but the account has sent 3 transactions");
    EXPECT_EQ(scenario.state(tx), State::queued);
    EXPECT_EQ(scenario.submitter(scenario.alice).next_nonce, std::nullopt);
}

TEST(LaneNonceBootstrap, ExternalTransactionsInFlightStopTheSubmitter) {
    LaneScenario scenario;
    make_history(scenario, 1);
    scenario.set_mining(false);
    scenario.network.inject(scenario.sign_externally(scenario.alice, Nonce(1)).raw);
    scenario.network.inject(scenario.sign_externally(scenario.alice, Nonce(2)).raw);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    scenario.run_for(10s);
    expect_protected(scenario, "2 external transactions of this new submitter are in flight (nonces 1 to 2)");
    EXPECT_EQ(scenario.state(tx), State::queued);
}

TEST(LaneNonceBootstrap, AdoptContinuesAboveExternalTransactions) {
    LaneScenario scenario({.lane = {.confirmations_required = 3, .adopt_pending = true}});
    scenario.set_mining(false);
    scenario.network.inject(scenario.sign_externally(scenario.alice, Nonce(0)).raw);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    scenario.run_for(10s);
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.view(tx).nonce, Nonce(1));
    EXPECT_EQ(scenario.state(tx), State::confirmed);
}

TEST(LaneNonceBootstrap, UsesTheHighestCountOfTheEndpoints) {
    LaneScenario scenario;
    make_history(scenario, 3);
    scenario.network.mine(5);
    scenario.one.lag_blocks(7);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.view(tx).nonce.has_value(); }));
    EXPECT_EQ(scenario.view(tx).nonce, Nonce(3));
}

// Endpoint one does not know the account's history, and endpoint two does not answer.
void leave_only_one_that_lags(LaneScenario& scenario) {
    make_history(scenario, 3);
    scenario.network.mine(5);
    scenario.one.lag_blocks(7);
    scenario.two.set_down(true);
}

TEST(LaneNonceBootstrap, WaitsForAllEndpointsBeforeTheCursorIsSet) {
    LaneScenario scenario;
    leave_only_one_that_lags(scenario);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    scenario.run_for(20s);
    EXPECT_EQ(scenario.submitter(scenario.alice).next_nonce, std::nullopt);
    EXPECT_TRUE(scenario.log.has(Severity::warning, "1 of 2 answered")) << scenario.log.text();
    scenario.two.set_down(false);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.view(tx).nonce.has_value(); }, 15s));
    EXPECT_EQ(scenario.view(tx).nonce, Nonce(3));
}

TEST(LaneNonceBootstrap, LongEndpointOutageDoesNotBlockANewKey) {
    LaneScenario scenario;
    make_history(scenario, 3);
    scenario.one.set_down(true);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(tx) == State::confirmed; }, 1min));
    EXPECT_EQ(scenario.view(tx).nonce, Nonce(3));
}

// Everything that alice sent is final, and no node runs.
void finalize_and_leave(LaneScenario& scenario) {
    auto& first = scenario.start("a");
    scenario.accept(scenario.alice, 3);
    ASSERT_TRUE(scenario.run_until([&] { return first.host().is_idle(scenario.alice); }));
    scenario.kill(first);
    scenario.run_for(11s);
    ASSERT_EQ(scenario.get(scenario.store->load(scenario.alice)).value().watch_from, Nonce(3));
}

TEST(LaneNonceBootstrap, ChainBelowTheFinalizedCountStopsTheSubmitter) {
    LaneScenario scenario;
    ASSERT_NO_FATAL_FAILURE(finalize_and_leave(scenario));
    const auto& ledger = scenario.network.ledger();
    const auto depth = ledger.head().number().above(ledger.executed()[1].block->number()) + 1;
    scenario.network.reorg({.depth = depth, .fate = sim::Reorg::Fate::dropped, .past_finality = true});
    const auto left = ledger.executed().size();
    const auto tx = scenario.accept(scenario.alice);
    scenario.start("b");
    scenario.run_for(25s);
    EXPECT_EQ(scenario.submitter(scenario.alice).status.status, SubmitterStatus::active) << "it may only lag";
    scenario.run_for(10s);
    expect_protected(scenario,
                     "the chain has " + std::to_string(left) + " transactions of this account, fewer than the 3");
    EXPECT_EQ(scenario.state(tx), State::queued);
}

TEST(LaneNonceBootstrap, Failure27WaitsForALaggingChain) {
    LaneScenario scenario;
    ASSERT_NO_FATAL_FAILURE(finalize_and_leave(scenario));
    scenario.one.lag_blocks(40);
    scenario.two.set_down(true);
    const auto tx = scenario.accept(scenario.alice);
    scenario.start("b");
    scenario.run_for(25s);
    EXPECT_TRUE(scenario.log.has(Severity::warning, "fewer than the 3")) << scenario.log.text();
    scenario.one.lag_blocks(0);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(tx) == State::confirmed; }, 1min));
    EXPECT_EQ(scenario.submitter(scenario.alice).status.status, SubmitterStatus::active);
    scenario.expect_lawful();
}

TEST(LaneNonceBootstrap, ExternalUseWhileNoNodeRanStopsTheSubmitterWithItsHash) {
    LaneScenario scenario;
    auto& first = scenario.start("a");
    scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.kill(first);
    scenario.run_for(11s);
    const auto foreign = scenario.sign_externally(scenario.alice, Nonce(1));
    scenario.network.inject(foreign.raw);
    scenario.run_for(5s);
    const auto tx = scenario.accept(scenario.alice);
    scenario.start("b");
    scenario.run_for(10s);
    expect_protected(scenario, "nonce 1 was used by transaction " + to_hex_prefixed(foreign.hash.view()));
    EXPECT_EQ(scenario.state(tx), State::queued) << "it waits for an operator";
}

TEST(LaneNonceBootstrap, ExternalUseInFlightStopsTheSubmitter) {
    LaneScenario scenario;
    auto& first = scenario.start("a");
    scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.kill(first);
    scenario.set_mining(false);
    scenario.run_for(11s);
    scenario.network.inject(scenario.sign_externally(scenario.alice, Nonce(1)).raw);
    scenario.accept(scenario.alice);
    scenario.start("b");
    scenario.run_for(10s);
    expect_protected(scenario, "nonces 1 to 1 are in flight, and Fencepost never allocated them");
}

TEST(LaneNonceBootstrap, WaitsForAnUnreachableChain) {
    LaneScenario scenario;
    scenario.one.set_down(true);
    scenario.two.set_down(true);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    scenario.run_for(2min);
    EXPECT_EQ(scenario.state(tx), State::queued);
    EXPECT_EQ(scenario.submitter(scenario.alice).status.status, SubmitterStatus::active);
    EXPECT_TRUE(scenario.log.has(Severity::warning, "waits for its chain"));
    scenario.two.set_down(false);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(LaneNonceBootstrap, PauseDoesNotWeakenProtect) {
    LaneScenario scenario;
    scenario.start("a");
    scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.post(CommandKind::protect, scenario.alice, "the key may have leaked");
    const auto tx = scenario.accept(scenario.alice);
    scenario.run_for(5s);
    scenario.post(CommandKind::pause, scenario.alice);
    scenario.run_for(5s);
    scenario.post(CommandKind::resume, scenario.alice);
    scenario.run_for(5s);
    EXPECT_EQ(scenario.submitter(scenario.alice).status.status, SubmitterStatus::protect);
    EXPECT_EQ(scenario.submitter(scenario.alice).status.reason, "the key may have leaked");
    EXPECT_EQ(scenario.state(tx), State::queued);
    EXPECT_TRUE(scenario.get(scenario.store->pending(scenario.alice)).value().empty()) << "both were executed";
}

}  // namespace
}  // namespace fencepost::scenario
