// The reconciler: what it repairs, what it stops for, and that it changes nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text/hex.hpp"
#include "support/conditions.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::HasSubstr;

// Only the reconciler queries within the first hour.
const lane::LaneOptions only_reconciles{
    .confirmations_required = 3, .resubmit_interval = 1h, .stale_receipt_timeout = 1h, .reconcile_interval = 30s};

// Alice has sent one, and her lane is open.
void settle_one(LaneScenario& scenario) {
    auto& node = scenario.start("a");
    scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return node.host().is_idle(scenario.alice); }));
}

TEST(LaneReconcile, Failure05ExternalUseStopsTheKeyAndRefusesNewRequests) {
    LaneScenario scenario({.lane = only_reconciles});
    ASSERT_NO_FATAL_FAILURE(settle_one(scenario));
    const auto foreign = scenario.sign_externally(scenario.alice, Nonce(1));
    scenario.network.inject(foreign.raw);
    scenario.network.mine();
    ASSERT_TRUE(run_until_protected(scenario)) << scenario.log.text();
    const auto name = to_hex_prefixed(foreign.hash.view());
    const auto answer = scenario.offer(scenario.alice, LaneScenario::transfer(1));
    EXPECT_EQ(answer.kind, AcceptKind::submitter_protected);
    EXPECT_THAT(answer.reason,
                HasSubstr("nonce 1 was used by transaction " + name + ", and Fencepost never allocated it"));
    EXPECT_TRUE(scenario.log.has(Severity::alert, "The reconciler stopped the submitter"));
    EXPECT_EQ(scenario.telemetry.of(Counter::reconcile, "protected"), 1U);
    EXPECT_EQ(scenario.submitter(scenario.alice).next_nonce, Nonce(1)) << "the cursor never jumps silently";
    scenario.run_for(5min);
    EXPECT_TRUE(is_protected(scenario)) << "only an operator lifts it";
    EXPECT_EQ(scenario.telemetry.of(Counter::reconcile, "protected"), 1U) << "and reported once";
}

TEST(LaneReconcile, ExternalTxInFlightStopsTheKeyBeforeItIsMined) {
    LaneScenario scenario({.lane = only_reconciles});
    ASSERT_NO_FATAL_FAILURE(settle_one(scenario));
    scenario.set_mining(false);
    const auto foreign = scenario.sign_externally(scenario.alice, Nonce(1));
    scenario.network.inject(foreign.raw);
    ASSERT_TRUE(run_until_protected(scenario)) << scenario.log.text();
    const auto reason = scenario.submitter(scenario.alice).status.reason;
    EXPECT_THAT(reason, HasSubstr("nonces 1 to 1 are in flight, and Fencepost never allocated them"));
    EXPECT_THAT(reason, HasSubstr(to_hex_prefixed(foreign.hash.view())));
}

TEST(LaneReconcile, UnidentifiedUseDoesNotStopTheKey) {
    LaneScenario scenario({.lane = only_reconciles});
    auto& node = scenario.start("a");
    scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return node.host().is_idle(scenario.alice); }));
    scenario.network.inject(scenario.sign_externally(scenario.alice, Nonce(1)).raw);
    scenario.network.mine();
    node.chain().answer_next_use({.consumed = false});
    ASSERT_TRUE(scenario.run_until([&] { return scenario.telemetry.of(Counter::reconcile, "unknown") == 1; }, 1min));
    EXPECT_FALSE(is_protected(scenario)) << "an endpoint says that it is not consumed";
    ASSERT_TRUE(run_until_protected(scenario)) << "asked again soon";
}

TEST(LaneReconcile, PersistentlyLowChainCountStopsTheKey) {
    LaneScenario scenario({.lane = only_reconciles});
    ASSERT_NO_FATAL_FAILURE(settle_one(scenario));
    const auto& ledger = scenario.network.ledger();
    const auto depth = ledger.head().number().above(ledger.executed().front().block->number()) + 1;
    const auto began = scenario.world.now();
    scenario.network.reorg({.depth = depth, .fate = sim::Reorg::Fate::dropped, .past_finality = true});
    ASSERT_TRUE(run_until_protected(scenario)) << scenario.log.text();
    EXPECT_THAT(scenario.submitter(scenario.alice).status.reason, HasSubstr("fewer than the 1 that were final"));
    EXPECT_GE(scenario.world.now() - began, 30s) << "it may only lag";
}

TEST(LaneReconcile, QueriesAMissedReceipt) {
    LaneScenario scenario({.lane = only_reconciles});
    auto& node = scenario.start("a");
    node.chain().delay_block_calls(1h);
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(tx) == State::confirmed; }, 2min))
        << scenario.log.text();
    EXPECT_GE(scenario.telemetry.of(Counter::reconcile, "repaired"), 1U);
    EXPECT_EQ(scenario.times_sent(*scenario.view(tx).hash), 1U) << "transactions in flight are not changed";
    scenario.expect_lawful();
}

TEST(LaneReconcile, Failure29DetectsATakenNonceInFlightWithoutResending) {
    LaneScenario scenario({.network = {.ledger = {.safe_lag = 20, .finalized_lag = 40}}, .lane = only_reconciles});
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(tx) == State::tracking; }));
    const auto foreign = scenario.sign_externally(scenario.alice, Nonce(0), 50);
    ASSERT_TRUE(is_held(scenario.network.inject(foreign.raw).outcome));
    scenario.network.mine();
    scenario.set_mining(true);
    ASSERT_TRUE(run_until_protected(scenario)) << scenario.log.text();
    EXPECT_EQ(scenario.view(tx).position, (Position{State::stuck, SubState::nonce_taken}));
    EXPECT_THAT(scenario.submitter(scenario.alice).status.reason, HasSubstr(to_hex_prefixed(foreign.hash.view())));
    EXPECT_EQ(scenario.times_sent(*scenario.view(tx).hash), 1U);
}

TEST(LaneReconcile, Failure27NoFalseExternalUseUnderLoadOrLag) {
    LaneScenario scenario({.lane = {.confirmations_required = 3, .reconcile_interval = 100ms}});
    scenario.start("a");
    scenario.one.lag_blocks(4);
    for (int round = 0; round < 20; ++round) {
        scenario.accept(scenario.alice, 5);
        scenario.run_for(1s);
    }
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    EXPECT_GT(scenario.telemetry.of(Counter::reconcile, "clean"), 50U);
    EXPECT_EQ(scenario.telemetry.of(Counter::reconcile, "protected"), 0U);
    scenario.expect_lawful();
}

TEST(LaneReconcile, UnansweredReconcileProvesNothingAndRetries) {
    LaneScenario scenario({.lane = only_reconciles});
    ASSERT_NO_FATAL_FAILURE(settle_one(scenario));
    scenario.one.set_down(true);
    scenario.two.set_down(true);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.telemetry.of(Counter::reconcile, "unknown") > 1; }, 3min));
    EXPECT_TRUE(scenario.log.has(Severity::warning, "Reconciliation failed"));
    EXPECT_FALSE(is_protected(scenario));
}

TEST(LaneReconcile, ReconcilesEveryFiveMinutesByDefault) {
    EXPECT_EQ(lane::LaneOptions{}.reconcile_interval, 5min);
    LaneScenario scenario;
    scenario.start("a");
    scenario.accept(scenario.alice);
    scenario.run_for(16min);
    EXPECT_EQ(scenario.telemetry.of(Counter::reconcile, "clean"), 3U);
}

TEST(LaneReconcile, CommandStartsAReconcile) {
    LaneScenario scenario({.lane = {.confirmations_required = 3, .reconcile_interval = 24h}});
    ASSERT_NO_FATAL_FAILURE(settle_one(scenario));
    scenario.network.inject(scenario.sign_externally(scenario.alice, Nonce(1)).raw);
    scenario.network.mine();
    scenario.run_for(10min);
    ASSERT_FALSE(is_protected(scenario));
    scenario.post(CommandKind::reconcile, scenario.alice);
    ASSERT_TRUE(run_until_protected(scenario)) << scenario.log.text();
    EXPECT_TRUE(scenario.pending_commands().empty());
    EXPECT_TRUE(scenario.log.has(Severity::info, "Reconciliation started by command"));
}

}  // namespace
}  // namespace fencepost::scenario
