#include "sim/mempool/sim_mempool.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "sim/chain/test_scenario.hpp"

namespace fencepost::sim {
namespace {

using namespace test;

constexpr Gas block_gas(30'000'000);

struct SimMempoolRules : ::testing::Test {
    SimMempoolRules() {
        for (std::size_t i = 2; i < 10; ++i)
            scenario.fund(scenario.signer.submitter(i), ether);
    }

    const SimState& state() { return *scenario.network.ledger().head().state; }
    PoolHead head() { return {.state = state(), .gas_limit = block_gas, .next_base_fee = base_fee}; }
    Verdict verdict_of(const SimTxPtr& transaction) { return pool.add(transaction, head()); }
    SendOutcome add(const SimTxPtr& transaction) { return verdict_of(transaction).outcome; }
    SendOutcome add(const TxFields& fields) { return add(alices(fields)); }
    /// Adds and promotes: geth promotes a moment later.
    SendOutcome add_promoted(const SimTxPtr& transaction) {
        const auto outcome = add(transaction);
        pool.promote(head());
        return outcome;
    }
    SendOutcome add_promoted(const TxFields& fields) { return add_promoted(alices(fields)); }
    /// All at the same price.
    void fill(const SubmitterId& from, std::uint64_t first, std::uint64_t count, const Fees& fees = fee_of(10, 2)) {
        for (auto nonce = first; nonce < first + count; ++nonce)
            EXPECT_EQ(add_promoted(scenario.tx(from, {.nonce = nonce, .fees = fees})), SendOutcome::accepted) << nonce;
    }
    SimTxPtr alices(const TxFields& fields) { return scenario.tx(scenario.alice, fields); }
    SimTxPtr bobs(const TxFields& fields) { return scenario.tx(scenario.bob, fields); }
    SubmitterId number(std::size_t i) { return scenario.signer.submitter(i); }
    /// Number of pending and of queued transactions.
    using Parts = std::pair<std::size_t, std::size_t>;
    Parts parts(const SubmitterId& of) {
        const auto is_his = [address = *of.evm_address()](const auto& tx) { return tx->sender == address; };
        const auto pending = static_cast<std::size_t>(std::ranges::count_if(pool.pending(), is_his));
        return {pending, static_cast<std::size_t>(std::ranges::count_if(pool.contents(), is_his)) - pending};
    }
    Nonce next() { return pool.next_nonce(*scenario.alice.evm_address(), state()); }
    bool holds(const SubmitterId& of, std::uint64_t nonce) {
        return pool.at(*of.evm_address(), Nonce(nonce)) != nullptr;
    }
    /// Mines a transaction that was never in this pool.
    void mine(const SimTxPtr& transaction) {
        EXPECT_EQ(scenario.network.inject(transaction->raw).outcome, SendOutcome::accepted);
        scenario.network.mine();
    }

    Scenario scenario;
    Uint256 base_fee{};
    SimMempool pool{MempoolOptions{}};
};

TEST_F(SimMempoolRules, ReportsTheSameBytesAsAlreadyKnown) {
    EXPECT_EQ(add({.nonce = 0}), SendOutcome::accepted);
    EXPECT_EQ(add({.nonce = 0}), SendOutcome::already_known);
    EXPECT_EQ(pool.size(), 1U);
}

TEST_F(SimMempoolRules, RefusesAUsedNonceAsTooLow) {
    mine(alices({.nonce = 0}));
    const auto verdict = verdict_of(alices({.nonce = 0}));
    EXPECT_EQ(verdict.outcome, SendOutcome::nonce_too_low);
    EXPECT_EQ(verdict.message, "nonce too low: next nonce 1, tx nonce 0");
}

TEST_F(SimMempoolRules, ReplacementMustRaiseBothFeesByTenPercent) {
    for (const std::uint64_t nonce : {0U, 5U}) {
        const auto with = [this, nonce](const Fees& fees) { return add_promoted({.nonce = nonce, .fees = fees}); };
        EXPECT_EQ(with(fee_of(100, 20)), SendOutcome::accepted);
        EXPECT_EQ(with(fee_of(110, 20)), SendOutcome::replacement_underpriced) << "the tip must rise, too";
        EXPECT_EQ(with(fee_of(100, 22)), SendOutcome::replacement_underpriced) << "the maximum must rise, too";
        EXPECT_EQ(with(fee_of(109, 22)), SendOutcome::replacement_underpriced) << "by a tenth";
        EXPECT_EQ(with(fee_of(110, 22)), SendOutcome::accepted);
        EXPECT_EQ(with(fee_of(100, 20)), SendOutcome::replacement_underpriced) << "the first one is gone from the pool";
    }
    EXPECT_EQ(pool.size(), 2U) << "the pool holds the replacements only";
    EXPECT_EQ(parts(scenario.alice), Parts(1, 1));
}

TEST_F(SimMempoolRules, ReplacementMustRaiseAZeroTip) {
    pool.options().minimum_tip = Wei(0);
    EXPECT_EQ(add({.fees = fee_of(100, 0)}), SendOutcome::accepted);
    EXPECT_EQ(add({.fees = fee_of(120, 0)}), SendOutcome::replacement_underpriced);
    EXPECT_EQ(add({.fees = fee_of(120, 1)}), SendOutcome::accepted);
}

TEST_F(SimMempoolRules, ReportsThePriceFloorForALowTip) {
    pool.options().minimum_tip = Wei(3 * gwei);
    const auto verdict = verdict_of(alices({.fees = fee_of(100, 2)}));
    EXPECT_EQ(verdict.outcome, SendOutcome::price_floor);
    EXPECT_EQ(verdict.message,
              "transaction gas price below minimum: gas tip cap 2000000000, minimum needed 3000000000");
    EXPECT_FALSE(verdict.is_temporary);
    EXPECT_EQ(add({.fees = fee_of(100, 3)}), SendOutcome::accepted);
}

TEST_F(SimMempoolRules, RefusesATipAboveTheMaximumFee) {
    EXPECT_EQ(add({.fees = fee_of(2, 3)}), SendOutcome::tip_above_cap);
}

TEST_F(SimMempoolRules, RequiresFundsForAllPendingTransactions) {
    const Uint256 most = ether / Uint256(2);  // plus gas: two of them exceed the balance
    EXPECT_EQ(add_promoted({.nonce = 0, .value = most}), SendOutcome::accepted);
    EXPECT_EQ(add({.nonce = 1, .value = most}), SendOutcome::insufficient_funds);
    EXPECT_EQ(add({.nonce = 2, .value = 1}), SendOutcome::accepted);
    EXPECT_EQ(add({.nonce = 0, .fees = fee_of(20, 4), .value = most}), SendOutcome::accepted)
        << "the replaced transaction does not count";
    EXPECT_EQ(add({.nonce = 5, .value = ether}), SendOutcome::insufficient_funds) << "not even alone";
}

TEST_F(SimMempoolRules, IgnoresTheCostOfQueuedTransactions) {
    const Uint256 most = ether / Uint256(2);
    EXPECT_EQ(add_promoted({.nonce = 1, .value = most}), SendOutcome::accepted);
    EXPECT_EQ(add({.nonce = 2, .value = most}), SendOutcome::accepted);
}

TEST_F(SimMempoolRules, GasMustCoverTheIntrinsicCostAndFitABlock) {
    EXPECT_EQ(add({.gas = 20'999}), SendOutcome::intrinsic_gas);
    EXPECT_EQ(add({.data = Bytes{0, 1}, .gas = 21'019}), SendOutcome::intrinsic_gas);
    EXPECT_EQ(add({.gas = 30'000'001}), SendOutcome::over_block_gas_limit);
    EXPECT_EQ(add({.data = Bytes{0, 1}, .gas = 21'020}), SendOutcome::accepted);
}

TEST_F(SimMempoolRules, ReportsTheNodeFeeCap) {
    pool.options().fee_cap = Uint256(gwei) * Uint256(1'000'000);
    EXPECT_EQ(add({.fees = fee_of(11, 2), .gas = 100'000}), SendOutcome::node_fee_cap);
    EXPECT_EQ(add({.fees = fee_of(10, 2), .gas = 100'000}), SendOutcome::accepted);
}

TEST_F(SimMempoolRules, PendingCountIncludesOnlyPromotedTransactions) {
    const auto first = alices({.nonce = 0});
    EXPECT_EQ(add(first), SendOutcome::accepted);
    EXPECT_TRUE(pool.find(first->hash)) << "found by hash at once";
    EXPECT_EQ(next(), Nonce(0));
    EXPECT_TRUE(pool.pending().empty());
    pool.promote(head());
    EXPECT_EQ(next(), Nonce(1));
    EXPECT_EQ(parts(scenario.alice), Parts(1, 0));
}

TEST_F(SimMempoolRules, QueuesTransactionsBehindAGap) {
    EXPECT_EQ(add_promoted({.nonce = 2}), SendOutcome::accepted);
    EXPECT_EQ(next(), Nonce(0));
    EXPECT_EQ(add_promoted({.nonce = 0}), SendOutcome::accepted);
    EXPECT_EQ(next(), Nonce(1));
    EXPECT_EQ(parts(scenario.alice), Parts(1, 1));
    EXPECT_EQ(add_promoted({.nonce = 1}), SendOutcome::accepted);
    EXPECT_EQ(next(), Nonce(3));
    EXPECT_EQ(pool.highest_nonce(*scenario.alice.evm_address()), Nonce(2));
}

// geth promotes from the mined nonce when it adopts a head: a transaction added just before waits for the next
// promotion.
TEST_F(SimMempoolRules, NewHeadLeavesTheTailBehindPendingQueued) {
    fill(scenario.alice, 0, 2);
    EXPECT_EQ(add({.nonce = 2}), SendOutcome::accepted);
    pool.sync(head());
    pool.promote(head());
    EXPECT_EQ(next(), Nonce(2)) << "the account is no longer marked for promotion";
    EXPECT_EQ(add_promoted({.nonce = 3}), SendOutcome::accepted);
    EXPECT_EQ(next(), Nonce(4));
}

TEST_F(SimMempoolRules, NewHeadPromotesExecutableTransactions) {
    EXPECT_EQ(add_promoted({.nonce = 1}), SendOutcome::accepted);
    mine(alices({.nonce = 0}));
    pool.sync(head());
    EXPECT_EQ(next(), Nonce(2));
}

TEST_F(SimMempoolRules, RefusesGapsAsNonceTooHighWhenConfigured) {
    pool.options().holds_gaps = false;
    EXPECT_EQ(add({.nonce = 1}), SendOutcome::nonce_too_high);
    EXPECT_EQ(add({.nonce = 0}), SendOutcome::accepted);
    EXPECT_EQ(add({.nonce = 1}), SendOutcome::accepted) << "even before the first is promoted";
}

TEST_F(SimMempoolRules, FullPoolDecidesByPriceAndRefusesEqualPrices) {
    pool.options().global_slots = 2;
    pool.options().global_queue = 1;
    fill(scenario.alice, 0, 2);
    EXPECT_EQ(add_promoted({.nonce = 9, .fees = fee_of(20, 4)}), SendOutcome::accepted);
    const auto refused = verdict_of(bobs({.fees = fee_of(10, 2)}));
    EXPECT_EQ(refused.outcome, SendOutcome::underpriced) << "the number of bob's transactions does not matter";
    EXPECT_EQ(refused.message, "transaction underpriced");
    EXPECT_TRUE(refused.is_temporary);
    EXPECT_EQ(add(bobs({.fees = fee_of(11, 2)})), SendOutcome::accepted);
    EXPECT_FALSE(holds(scenario.alice, 1));
    EXPECT_EQ(pool.size(), 3U);
}

TEST_F(SimMempoolRules, FullPoolComparesTipsInTheNextBlock) {
    pool.options().global_slots = 4;
    pool.options().global_queue = 1;
    fill(number(2), 0, 1, fee_of(100, 1));
    fill(number(3), 0, 1, fee_of(30, 10));
    fill(number(4), 0, 1, fee_of(30, 11));
    fill(number(5), 0, 1, fee_of(30, 12));
    fill(number(6), 0, 1, fee_of(30, 13));
    base_fee = Uint256(10 * gwei);
    pool.sync(head());
    EXPECT_EQ(add(bobs({.fees = fee_of(50, 20)})), SendOutcome::accepted);
    EXPECT_FALSE(holds(number(2), 0)) << "highest maximum fee, but lowest tip in the next block";
    EXPECT_EQ(pool.size(), 5U);
}

TEST_F(SimMempoolRules, EvictsTheHigherNonceFirstOnEqualPrice) {
    pool.options().global_slots = 6;
    pool.options().global_queue = 1;
    fill(scenario.alice, 0, 4);
    fill(number(2), 0, 2);
    EXPECT_EQ(add_promoted(scenario.tx(number(3), {.nonce = 0})), SendOutcome::accepted);
    EXPECT_EQ(add_promoted(bobs({.nonce = 0, .fees = fee_of(20, 4)})), SendOutcome::accepted);
    EXPECT_EQ(parts(scenario.alice), Parts(3, 0)) << "nonce 3 was the highest";
    EXPECT_EQ(add_promoted(bobs({.nonce = 1, .fees = fee_of(20, 4)})), SendOutcome::accepted);
    EXPECT_EQ(parts(scenario.alice), Parts(2, 0)) << "then nonce 2";
    EXPECT_EQ(parts(number(2)), Parts(2, 0));
}

TEST_F(SimMempoolRules, GappedTransactionsDoNotEvictPendingOnes) {
    pool.options().global_slots = 2;
    pool.options().global_queue = 1;
    fill(scenario.alice, 0, 2);
    EXPECT_EQ(add_promoted({.nonce = 9, .fees = fee_of(20, 4)}), SendOutcome::accepted);
    const auto refused = verdict_of(bobs({.nonce = 5, .fees = fee_of(30, 5)}));
    EXPECT_EQ(refused.outcome, SendOutcome::pool_full);
    EXPECT_EQ(refused.message, "future transaction tries to replace pending");
    EXPECT_TRUE(refused.is_temporary);
    EXPECT_EQ(pool.size(), 3U) << "nothing was evicted for it";
    EXPECT_EQ(add(bobs({.nonce = 0, .fees = fee_of(30, 5)})), SendOutcome::accepted);
    EXPECT_FALSE(holds(scenario.alice, 1)) << "still first in line for eviction";
}

TEST_F(SimMempoolRules, EvictsAtMostAQuarterOfTheSlotsBetweenPromotions) {
    pool.options().global_slots = 8;
    pool.options().global_queue = 1;
    for (std::size_t i = 2; i < 10; ++i)
        fill(number(i), 0, 1);
    EXPECT_EQ(add_promoted({.nonce = 9}), SendOutcome::accepted);
    const auto dear = fee_of(20, 4);
    EXPECT_EQ(add(bobs({.nonce = 0, .fees = dear})), SendOutcome::accepted) << "replaces alice's queued transaction";
    for (std::uint64_t nonce = 1; nonce < 4; ++nonce)
        EXPECT_EQ(add(bobs({.nonce = nonce, .fees = dear})), SendOutcome::accepted) << nonce;
    const auto refused = verdict_of(bobs({.nonce = 4, .fees = dear}));
    EXPECT_EQ(refused.outcome, SendOutcome::pool_full);
    EXPECT_EQ(refused.message, "txpool is full");
    EXPECT_TRUE(refused.is_temporary);
    pool.promote(head());
    EXPECT_EQ(add(bobs({.nonce = 4, .fees = dear})), SendOutcome::accepted);
}

TEST_F(SimMempoolRules, EvictingAMiddleNonceQueuesTheTail) {
    fill(scenario.alice, 0, 5);
    EXPECT_TRUE(pool.evict(pool.at(*scenario.alice.evm_address(), Nonce(2))->hash));
    EXPECT_EQ(parts(scenario.alice), Parts(2, 2));
    EXPECT_EQ(next(), Nonce(2));
    fill(scenario.alice, 2, 1);
    EXPECT_EQ(parts(scenario.alice), Parts(5, 0));
    EXPECT_EQ(next(), Nonce(5));
}

TEST_F(SimMempoolRules, AccountQueueKeepsTheLowest64) {
    for (std::uint64_t nonce = 1; nonce <= 80; ++nonce)
        EXPECT_EQ(add({.nonce = nonce}), SendOutcome::accepted);
    EXPECT_EQ(pool.size(), 80U);
    pool.promote(head());
    EXPECT_EQ(parts(scenario.alice), Parts(0, 64));
    EXPECT_TRUE(holds(scenario.alice, 64));
    EXPECT_FALSE(holds(scenario.alice, 65));
}

TEST_F(SimMempoolRules, PromotesBeforeTheQueueLimitApplies) {
    for (std::uint64_t nonce = 0; nonce < 100; ++nonce)
        EXPECT_EQ(add({.nonce = nonce}), SendOutcome::accepted);
    pool.promote(head());
    EXPECT_EQ(parts(scenario.alice), Parts(100, 0));
}

TEST_F(SimMempoolRules, TruncatesTheLargestAccountsFirst) {
    pool.options().global_slots = 30;
    pool.options().account_slots = 4;
    fill(number(2), 0, 16);
    fill(number(3), 0, 8);
    fill(number(4), 0, 3);
    EXPECT_EQ(pool.pending_size(), 27U);
    for (std::uint64_t nonce = 3; nonce < 11; ++nonce)
        EXPECT_EQ(add(scenario.tx(number(4), {.nonce = nonce})), SendOutcome::accepted);
    pool.promote(head());
    EXPECT_EQ(parts(number(2)), Parts(11, 0)) << "16 is cut to the next largest";
    EXPECT_EQ(parts(number(4)), Parts(11, 0));
    EXPECT_EQ(parts(number(3)), Parts(8, 0));
    for (std::uint64_t nonce = 0; nonce < 3; ++nonce)
        EXPECT_EQ(add(bobs({.nonce = nonce})), SendOutcome::accepted);
    pool.promote(head());
    EXPECT_EQ(parts(number(2)), Parts(9, 0)) << "both are cut, by one more than needed";
    EXPECT_EQ(parts(number(4)), Parts(9, 0));
    EXPECT_EQ(parts(number(3)), Parts(8, 0));
    EXPECT_EQ(parts(scenario.bob), Parts(3, 0));
}

TEST_F(SimMempoolRules, TruncationKeepsTheGuaranteedSlots) {
    pool.options().global_slots = 10;
    pool.options().account_slots = 4;
    for (std::size_t i = 2; i < 6; ++i)
        fill(number(i), 0, 4);
    EXPECT_EQ(pool.pending_size(), 16U) << "no account exceeds its guaranteed slots";
    fill(scenario.alice, 0, 5);
    EXPECT_EQ(parts(scenario.alice), Parts(4, 0)) << "accepted, then truncated";
}

TEST_F(SimMempoolRules, TruncatesQueuesOfInactiveAccountsFirst) {
    pool.options().global_queue = 6;
    fill(scenario.alice, 1, 4);
    fill(scenario.bob, 1, 2);
    fill(number(2), 1, 3);
    EXPECT_EQ(parts(scenario.alice), Parts(0, 1)) << "from its highest nonce down";
    EXPECT_TRUE(holds(scenario.alice, 1));
    EXPECT_EQ(parts(scenario.bob), Parts(0, 2));
    EXPECT_EQ(parts(number(2)), Parts(0, 3));
    fill(number(3), 1, 2);
    EXPECT_EQ(parts(scenario.alice), Parts(0, 0));
    EXPECT_EQ(parts(scenario.bob), Parts(0, 1)) << "then the next account's";
}

TEST_F(SimMempoolRules, LimitsDelegatedAccountsToOneInFlight) {
    scenario.network.ledger().set_delegated(*scenario.alice.evm_address(), true);
    const auto gapped = verdict_of(alices({.nonce = 1}));
    EXPECT_EQ(gapped.outcome, SendOutcome::nonce_too_high);
    EXPECT_EQ(gapped.message, "gapped-nonce tx from delegated accounts");
    EXPECT_TRUE(gapped.is_temporary);
    EXPECT_EQ(add_promoted({.nonce = 0}), SendOutcome::accepted);
    const auto second = verdict_of(alices({.nonce = 1}));
    EXPECT_EQ(second.outcome, SendOutcome::account_limit);
    EXPECT_EQ(second.message, "in-flight transaction limit reached for delegated accounts");
    EXPECT_TRUE(second.is_temporary);
    EXPECT_EQ(add({.nonce = 0, .fees = fee_of(20, 4)}), SendOutcome::accepted) << "a replacement is allowed";
    pool.options().limits_delegated = false;
    EXPECT_EQ(add({.nonce = 1}), SendOutcome::accepted) << "for a client without this rule";
}

TEST_F(SimMempoolRules, LimitsAccountsWithAPendingAuthorizationToOneInFlight) {
    const auto authority = *scenario.alice.evm_address();
    auto permission = std::make_shared<SimTx>(*bobs({.gas = 100'000}));
    permission->authorizations.push_back({.authority = authority, .nonce = Nonce(0)});
    EXPECT_EQ(add_promoted({.nonce = 0}), SendOutcome::accepted);
    EXPECT_EQ(add_promoted(permission), SendOutcome::accepted);
    EXPECT_EQ(add({.nonce = 1}), SendOutcome::account_limit);
    EXPECT_TRUE(pool.evict(permission->hash));
    EXPECT_EQ(add({.nonce = 1}), SendOutcome::accepted);
    pool.promote(head());
    const auto refused = verdict_of(permission);
    EXPECT_EQ(refused.message, "authority already reserved") << "the authority has two in flight";
    EXPECT_TRUE(refused.is_temporary);
}

TEST_F(SimMempoolRules, AcceptsAnEvictedTransactionAgain) {
    const auto transaction = alices({});
    EXPECT_EQ(add(transaction), SendOutcome::accepted);
    EXPECT_TRUE(pool.evict(transaction->hash));
    EXPECT_FALSE(pool.evict(transaction->hash));
    EXPECT_EQ(add(transaction), SendOutcome::accepted);
    pool.drop_all();
    EXPECT_EQ(pool.size(), 0U);
    EXPECT_EQ(add_promoted(transaction), SendOutcome::accepted);
    EXPECT_EQ(next(), Nonce(1));
}

TEST_F(SimMempoolRules, DropsTransactionsWithUsedNonces) {
    const auto first = alices({.nonce = 0});
    EXPECT_EQ(add_promoted(first), SendOutcome::accepted);
    EXPECT_EQ(add_promoted({.nonce = 1}), SendOutcome::accepted);
    mine(alices({.nonce = 0, .fees = fee_of(50, 5)}));
    pool.sync(head());
    EXPECT_EQ(pool.find(first->hash), nullptr);
    EXPECT_EQ(parts(scenario.alice), Parts(1, 0));
}

TEST_F(SimMempoolRules, DropsUnaffordablePendingAndQueuesItsTail) {
    const Uint256 half = ether / Uint256(2);
    for (const std::uint64_t nonce : {0U, 1U, 2U, 3U})
        EXPECT_EQ(add_promoted({.nonce = nonce, .value = nonce == 2 ? half : Uint256(1)}), SendOutcome::accepted);
    EXPECT_EQ(parts(scenario.alice), Parts(4, 0));
    mine(alices({.nonce = 0, .value = half}));
    pool.sync(head());
    EXPECT_FALSE(holds(scenario.alice, 2));
    EXPECT_EQ(parts(scenario.alice), Parts(1, 1));
}

TEST_F(SimMempoolRules, DropsUnaffordableQueuedTransactions) {
    const Uint256 half = ether / Uint256(2);
    EXPECT_EQ(add_promoted({.nonce = 2, .value = half}), SendOutcome::accepted);
    EXPECT_EQ(add_promoted({.nonce = 3, .value = 1}), SendOutcome::accepted);
    mine(alices({.nonce = 0, .value = half}));
    pool.sync(head());
    EXPECT_FALSE(holds(scenario.alice, 2));
    EXPECT_EQ(parts(scenario.alice), Parts(0, 1));
}

TEST_F(SimMempoolRules, HeadThatGoesBackQueuesPendingTransactions) {
    mine(alices({.nonce = 0}));
    fill(scenario.alice, 1, 2);
    scenario.network.reorg({.depth = 1, .fate = Reorg::Fate::dropped});
    pool.sync(head());
    EXPECT_EQ(parts(scenario.alice), Parts(0, 2));
    EXPECT_EQ(next(), Nonce(0));
    fill(scenario.alice, 0, 1);
    EXPECT_EQ(next(), Nonce(3));
}

TEST_F(SimMempoolRules, LargeTransactionTakesSeveralSlots) {
    pool.options().global_slots = 2;
    pool.options().global_queue = 1;
    fill(scenario.alice, 0, 2);
    EXPECT_EQ(add_promoted(bobs({.fees = fee_of(20, 4), .data = Bytes(40'000, 0), .gas = 200'000})),
              SendOutcome::accepted);
    EXPECT_EQ(pool.size(), 2U) << "one was evicted for the second slot";
}

}  // namespace
}  // namespace fencepost::sim
