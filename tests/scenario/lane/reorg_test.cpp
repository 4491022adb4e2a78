// Receipts are provisional (law 5): a reorg rolls them back, and the same bytes are sent again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/lane_scenario.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::Contains;

// Runs until the transaction is mined, and not yet final.
bool run_until_mined(LaneScenario& scenario, TxId tx) {
    return scenario.run_until([&] { return scenario.view(tx).position.sub == SubState::mined; });
}

TEST(LaneReorg, Failure09ResendsTheSameBytesAfterAReorg) {
    LaneScenario scenario;
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_mined(scenario, tx));
    const auto hash = *scenario.view(tx).hash;

    scenario.network.reorg({.depth = 1, .fate = sim::Reorg::Fate::dropped});
    ASSERT_TRUE(scenario.run_until([&] { return scenario.view(tx).position.sub != SubState::mined; }));
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();

    EXPECT_EQ(scenario.view(tx).hash, hash);
    EXPECT_EQ(scenario.times_sent(hash), 2U) << "at once, not after the interval for resending";
    EXPECT_THAT(scenario.history_kinds(tx), Contains("forked"));
    EXPECT_GE(scenario.telemetry.of(Counter::confirmations_new_fork), 1U);
    scenario.expect_lawful();
}

TEST(LaneReorg, Failure17FailedReceiptIsProvisionalUntilItsDepth) {
    LaneScenario scenario;
    Address contract;
    contract.data.fill(7);
    scenario.network.ledger().add_contract(contract, sim::needs_approval());
    scenario.start("a");
    // The caller's own gas limit, so that it is not simulated: it reverts in its block.
    auto intent = LaneScenario::call(contract, sim::transfer_from_call());
    intent.gas_limit = Gas(100'000);
    const auto tx = scenario.accept(scenario.alice, intent);
    ASSERT_TRUE(run_until_mined(scenario, tx));
    EXPECT_FALSE(scenario.view(tx).receipt->succeeded);
    EXPECT_FALSE(is_final(scenario.state(tx))) << "depth 0 is no verdict";

    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::failed_final);
    EXPECT_THAT(scenario.view(tx).error, ::testing::HasSubstr(sim::no_allowance));
    scenario.expect_lawful();
}

TEST(LaneReorg, Failure26FlagsAndResendsARemovedSettledTransaction) {
    for (const bool new_owner : {false, true}) {
        SCOPED_TRACE(new_owner);
        LaneScenario scenario({.network = {.ledger = {.safe_lag = 20, .finalized_lag = 40}}});
        scenario.network.mine(30);
        auto& first = scenario.start("a");
        const auto ids = scenario.accept(scenario.alice, 3);
        ASSERT_TRUE(scenario.run_until_settled());
        if (new_owner) {
            scenario.kill(first);
            scenario.run_for(11s);
        }

        scenario.network.reorg({.depth = 15, .fate = sim::Reorg::Fate::dropped});
        if (new_owner) scenario.start("b");
        ASSERT_TRUE(scenario.run_until([&] { return scenario.view(ids[0]).position.sub == SubState::forked; }));
        EXPECT_EQ(scenario.state(ids[0]), State::confirmed) << "a verdict never changes";
        EXPECT_TRUE(scenario.log.has(Severity::alert, "ettled transaction")) << scenario.log.text();

        ASSERT_TRUE(scenario.run_until([&] {
            return std::ranges::all_of(scenario.all(), [](const auto& tx) { return tx.receipt.has_value(); });
        })) << scenario.log.text();
        const auto later = scenario.accept(scenario.alice);
        ASSERT_TRUE(scenario.run_until_settled()) << "higher nonces are not blocked";
        EXPECT_EQ(scenario.view(later).nonce, Nonce(3));
        scenario.expect_lawful();
    }
}

TEST(LaneReorg, Failure26ReadsSettledTransactionsBackDespiteDatabaseErrors) {
    LaneScenario scenario({.network = {.ledger = {.safe_lag = 20, .finalized_lag = 40}}});
    scenario.network.mine(30);
    auto& node = scenario.start("a");
    const auto ids = scenario.accept(scenario.alice, 3);
    ASSERT_TRUE(scenario.run_until_settled());
    // The pauses grow beyond the time between two blocks: a new head must not make the lane forget to ask again.
    node.store().fail_block_loads(4);
    scenario.network.reorg({.depth = 15, .fate = sim::Reorg::Fate::dropped});
    const auto later = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    EXPECT_EQ(node.store().failing_block_loads_left(), 0U);
    EXPECT_EQ(scenario.view(later).nonce, Nonce(3));
    EXPECT_TRUE(scenario.view(ids[0]).receipt.has_value()) << "mined again";
    scenario.expect_lawful();
}

TEST(LaneReorg, Failure27NewOwnerWithLaggingEndpointsRollsNothingBack) {
    LaneScenario scenario;
    auto& first = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_mined(scenario, tx));
    scenario.kill(first);
    scenario.set_mining(false);
    scenario.one.lag_blocks(1);
    scenario.two.set_down(true);
    scenario.run_for(11s);

    scenario.start("b");
    scenario.run_for(5s);
    EXPECT_EQ(scenario.view(tx).position.sub, SubState::mined) << "an endpoint that lags is no evidence";
    EXPECT_EQ(scenario.submitter(scenario.alice).status.status, SubmitterStatus::active);
    scenario.set_mining(true);
    scenario.one.lag_blocks(0);
    scenario.two.set_down(false);
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    scenario.expect_lawful();
}

}  // namespace
}  // namespace fencepost::scenario
