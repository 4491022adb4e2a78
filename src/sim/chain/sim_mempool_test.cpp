#include "sim/chain/sim_mempool.hpp"

#include <gtest/gtest.h>

#include "sim/chain/test_scenario.hpp"

namespace fencepost::sim {
namespace {

using namespace test;

constexpr Gas block_gas(30'000'000);

struct SimMempoolRules : ::testing::Test {
    SendOutcome add(const SimTxPtr& transaction) { return pool.add(transaction, state(), block_gas).outcome; }
    SendOutcome add(const Wish& wish) { return add(scenario.tx(scenario.alice, wish)); }
    const SimState& state() { return *scenario.network.ledger().head().state; }
    Address alice() { return *scenario.alice.evm_address(); }

    Scenario scenario;
    SimMempool pool{MempoolOptions{}};
};

TEST_F(SimMempoolRules, TheSameBytesTwiceAreAlreadyKnown) {
    EXPECT_EQ(add({.nonce = 0}), SendOutcome::accepted);
    EXPECT_EQ(add({.nonce = 0}), SendOutcome::already_known);
    EXPECT_EQ(pool.size(), 1U);
}

TEST_F(SimMempoolRules, ANonceThatIsUsedIsTooLow) {
    EXPECT_EQ(scenario.network.inject(scenario.tx(scenario.alice, {.nonce = 0})->raw).outcome, SendOutcome::accepted);
    scenario.network.mine();
    const auto verdict = pool.add(scenario.tx(scenario.alice, {.nonce = 0}), state(), block_gas);
    EXPECT_EQ(verdict.outcome, SendOutcome::nonce_too_low);
    EXPECT_EQ(verdict.message, "nonce too low: next nonce 1, tx nonce 0");
}

TEST_F(SimMempoolRules, AReplacementMustRaiseBothFeesByATenth) {
    EXPECT_EQ(add({.fees = fee_of(100, 20)}), SendOutcome::accepted);
    EXPECT_EQ(add({.fees = fee_of(110, 20)}), SendOutcome::replacement_underpriced) << "the tip must rise, too";
    EXPECT_EQ(add({.fees = fee_of(100, 22)}), SendOutcome::replacement_underpriced) << "the maximum must rise, too";
    EXPECT_EQ(add({.fees = fee_of(109, 22)}), SendOutcome::replacement_underpriced) << "by a tenth";
    EXPECT_EQ(add({.fees = fee_of(110, 22)}), SendOutcome::accepted);
    EXPECT_EQ(pool.size(), 1U) << "it replaced the first";
    EXPECT_EQ(add({.fees = fee_of(100, 20)}), SendOutcome::replacement_underpriced) << "not known any more";
}

TEST_F(SimMempoolRules, AZeroTipMustRiseToo) {
    pool.options().minimum_tip = Wei(0);
    EXPECT_EQ(add({.fees = fee_of(100, 0)}), SendOutcome::accepted);
    EXPECT_EQ(add({.fees = fee_of(120, 0)}), SendOutcome::replacement_underpriced);
    EXPECT_EQ(add({.fees = fee_of(120, 1)}), SendOutcome::accepted);
}

TEST_F(SimMempoolRules, ATipBelowTheMinimumIsUnderpriced) {
    pool.options().minimum_tip = Wei(3 * gwei);
    EXPECT_EQ(add({.fees = fee_of(100, 2)}), SendOutcome::underpriced);
    EXPECT_EQ(add({.fees = fee_of(100, 3)}), SendOutcome::accepted);
}

TEST_F(SimMempoolRules, ATipAboveTheMaximumIsRefused) {
    EXPECT_EQ(add({.fees = fee_of(2, 3)}), SendOutcome::tip_above_cap);
}

TEST_F(SimMempoolRules, TheCostOfAllThatWaitsMustBeCovered) {
    const Uint256 most = ether / Uint256(2);  // and then gas: two of them are too much
    EXPECT_EQ(add({.nonce = 0, .value = most}), SendOutcome::accepted);
    EXPECT_EQ(add({.nonce = 1, .value = most}), SendOutcome::insufficient_funds);
    EXPECT_EQ(add({.nonce = 1, .value = 1}), SendOutcome::accepted);
    EXPECT_EQ(add({.nonce = 0, .fees = fee_of(20, 4), .value = most}), SendOutcome::accepted)
        << "what is replaced does not count";
}

TEST_F(SimMempoolRules, GasMustCoverTheIntrinsicCostAndFitABlock) {
    EXPECT_EQ(add({.gas = 20'999}), SendOutcome::intrinsic_gas);
    EXPECT_EQ(add({.data = Bytes{0, 1}, .gas = 21'019}), SendOutcome::intrinsic_gas);
    EXPECT_EQ(add({.gas = 30'000'001}), SendOutcome::over_block_gas_limit);
    EXPECT_EQ(add({.data = Bytes{0, 1}, .gas = 21'020}), SendOutcome::accepted);
}

TEST_F(SimMempoolRules, ANodesOwnFeeCapIsToldApart) {
    pool.options().fee_cap = Uint256(gwei) * Uint256(1'000'000);
    EXPECT_EQ(add({.fees = fee_of(11, 2), .gas = 100'000}), SendOutcome::node_fee_cap);
    EXPECT_EQ(add({.fees = fee_of(10, 2), .gas = 100'000}), SendOutcome::accepted);
}

TEST_F(SimMempoolRules, WhatComesAfterAGapWaitsForIt) {
    EXPECT_EQ(add({.nonce = 2}), SendOutcome::accepted);
    EXPECT_EQ(pool.next_nonce(alice(), state()), Nonce(0));
    EXPECT_EQ(add({.nonce = 0}), SendOutcome::accepted);
    EXPECT_EQ(pool.next_nonce(alice(), state()), Nonce(1));
    EXPECT_EQ(add({.nonce = 1}), SendOutcome::accepted);
    EXPECT_EQ(pool.next_nonce(alice(), state()), Nonce(3));
}

TEST_F(SimMempoolRules, APoolThatHoldsNoGapsSaysThatTheNonceIsTooHigh) {
    pool.options().holds_gaps = false;
    EXPECT_EQ(add({.nonce = 1}), SendOutcome::nonce_too_high);
    EXPECT_EQ(add({.nonce = 0}), SendOutcome::accepted);
    EXPECT_EQ(add({.nonce = 1}), SendOutcome::accepted);
}

TEST_F(SimMempoolRules, AFullPoolDropsTheCheapest) {
    pool.options().capacity = 2;
    const auto cheap = scenario.tx(scenario.alice, {.nonce = 0, .fees = fee_of(10, 2)});
    EXPECT_EQ(add(cheap), SendOutcome::accepted);
    EXPECT_EQ(add({.nonce = 1, .fees = fee_of(20, 4)}), SendOutcome::accepted);
    EXPECT_EQ(add(scenario.tx(scenario.bob, {.fees = fee_of(9, 1)})), SendOutcome::underpriced);
    EXPECT_EQ(add(scenario.tx(scenario.bob, {.nonce = 5, .fees = fee_of(30, 5)})), SendOutcome::pool_full)
        << "what cannot be mined does not push out what can";
    EXPECT_EQ(add(scenario.tx(scenario.bob, {.fees = fee_of(30, 5)})), SendOutcome::accepted);
    EXPECT_EQ(pool.find(cheap->hash), nullptr);
    EXPECT_EQ(pool.size(), 2U);
}

TEST_F(SimMempoolRules, WhatIsEvictedCanBeSentAgain) {
    const auto transaction = scenario.tx(scenario.alice, {});
    EXPECT_EQ(add(transaction), SendOutcome::accepted);
    EXPECT_TRUE(pool.evict(transaction->hash));
    EXPECT_FALSE(pool.evict(transaction->hash));
    EXPECT_EQ(add(transaction), SendOutcome::accepted);
    pool.drop_all();
    EXPECT_EQ(pool.size(), 0U);
    EXPECT_EQ(add(transaction), SendOutcome::accepted);
}

TEST_F(SimMempoolRules, WhatTheChainHasOvertakenIsForgotten) {
    const auto first = scenario.tx(scenario.alice, {.nonce = 0});
    const auto rival = scenario.tx(scenario.alice, {.nonce = 0, .fees = fee_of(50, 5)});
    EXPECT_EQ(add(first), SendOutcome::accepted);
    EXPECT_EQ(add({.nonce = 1}), SendOutcome::accepted);
    scenario.network.inject(rival->raw);
    scenario.network.mine();
    pool.sync(state());
    EXPECT_EQ(pool.find(first->hash), nullptr);
    EXPECT_EQ(pool.size(), 1U);
}

}  // namespace
}  // namespace fencepost::sim
