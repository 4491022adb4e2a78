#include "sim/ledger/sim_ledger.hpp"

#include <gtest/gtest.h>

#include "sim/chain/test_scenario.hpp"

namespace fencepost::sim {
namespace {

using namespace test;
using namespace std::chrono_literals;

struct SimLedgerBlocks : ::testing::Test {
    const SimBlock& mine(std::vector<SimTxPtr> candidates = {}) { return ledger.mine(UnixTime(100s), candidates); }
    SimTxPtr tx(const TxFields& fields) { return scenario.tx(scenario.alice, fields); }
    SimAccount account(const SubmitterId& submitter) { return ledger.head().state->account(*submitter.evm_address()); }
    std::vector<TxHash> canonical() {
        std::vector<TxHash> hashes;
        for (const auto& executed : ledger.executed())
            hashes.push_back(executed.transaction->hash);
        return hashes;
    }

    Scenario scenario;
    SimLedger& ledger = scenario.network.ledger();
};

TEST_F(SimLedgerBlocks, ATransferMovesValueAndCostsGas) {
    const auto transaction = tx({.to = address(9), .value = 5});
    const auto& block = mine({transaction});
    ASSERT_EQ(block.receipts.size(), 1U);
    const auto& receipt = block.receipts.front();
    EXPECT_TRUE(receipt.succeeded);
    EXPECT_EQ(receipt.block_hash, block.hash());
    EXPECT_EQ(receipt.gas_used, Gas(21'000));
    const Uint256 price = block.block->base_fee->value() + Uint256(2 * gwei);
    EXPECT_EQ(receipt.effective_gas_price, Wei(price));
    EXPECT_EQ(account(scenario.alice).balance, ether - price * Uint256(21'000) - Uint256(5));
    EXPECT_EQ(account(scenario.alice).nonce, Nonce(1));
    EXPECT_EQ(ledger.head().state->account(address(9)).balance, Uint256(5));
}

TEST_F(SimLedgerBlocks, BlocksLinkAndDiffer) {
    const auto& first = mine();
    const auto& second = mine();
    EXPECT_EQ(second.ref().parent, first.hash());
    EXPECT_EQ(second.number(), first.number().next());
    EXPECT_NE(second.hash(), first.hash());
    EXPECT_EQ(ledger.block(first.hash()), &first);
}

TEST_F(SimLedgerBlocks, OrdersByTipWithinNonceOrder) {
    const auto dear_later = tx({.nonce = 1, .fees = fee_of(100, 50)});
    const auto cheap_first = tx({.nonce = 0, .fees = fee_of(10, 1)});
    const auto middle = scenario.tx(scenario.bob, {.fees = fee_of(20, 10)});
    mine({dear_later, cheap_first, middle});
    EXPECT_EQ(canonical(), (std::vector{middle->hash, cheap_first->hash, dear_later->hash}));
}

TEST_F(SimLedgerBlocks, LeavesOutGapsAndFeesBelowTheBaseFee) {
    mine({tx({.nonce = 1})});
    EXPECT_TRUE(canonical().empty());
    ledger.set_next_base_fee(Wei(50 * gwei));
    mine({tx({.nonce = 0, .fees = fee_of(49, 2)})});
    EXPECT_TRUE(canonical().empty());
}

TEST_F(SimLedgerBlocks, FailedExecutionUsesNonceAndGas) {
    ledger.add_contract(address(7), always_reverts("no"));
    const auto& block = mine({tx({.to = address(7), .value = 5})});
    EXPECT_FALSE(block.receipts.front().succeeded);
    EXPECT_EQ(block.reasons.front(), "no");
    EXPECT_EQ(account(scenario.alice).nonce, Nonce(1));
    EXPECT_LT(account(scenario.alice).balance, ether);
    EXPECT_EQ(ledger.head().state->account(address(7)).balance, Uint256(0)) << "the value is not transferred";
}

TEST_F(SimLedgerBlocks, OutOfGasFailsAndUsesAllGas) {
    ledger.add_contract(address(7), always_succeeds(Gas(50'000)));
    const auto& block = mine({tx({.to = address(7), .gas = 60'000})});
    EXPECT_FALSE(block.receipts.front().succeeded);
    EXPECT_EQ(block.receipts.front().gas_used, Gas(60'000));
    EXPECT_EQ(block.reasons.front(), "out of gas");
}

TEST_F(SimLedgerBlocks, TransferFromSucceedsAfterApproval) {
    ledger.add_contract(address(7), needs_approval());
    mine({tx({.nonce = 0, .to = address(7), .data = transfer_from_call()})});
    EXPECT_FALSE(ledger.executed().back().receipt().succeeded);
    mine({tx({.nonce = 1, .to = address(7), .data = approve_call()}),
          tx({.nonce = 2, .to = address(7), .data = transfer_from_call()})});
    EXPECT_TRUE(ledger.executed().back().receipt().succeeded);
    ledger.reorg({.depth = 1}, UnixTime(100s));
    mine({tx({.nonce = 1, .to = address(7), .data = transfer_from_call()})});
    EXPECT_FALSE(ledger.executed().back().receipt().succeeded) << "the reorg removes the approval";
}

TEST_F(SimLedgerBlocks, ADeploymentHasAnAddress) {
    const auto& block = mine({tx({.to = std::nullopt, .data = Bytes{1}})});
    EXPECT_TRUE(block.receipts.front().contract.has_value());
}

TEST_F(SimLedgerBlocks, BaseFeeFollowsGasUsed) {
    const auto fee = [this] { return ledger.head().block->base_fee->value(); };
    const Uint256 start = fee();
    mine();
    EXPECT_EQ(fee(), start - start / Uint256(8)) << "an empty block lowers it by an eighth";
    ledger.add_contract(address(7), always_succeeds(Gas(29'000'000)));
    const Uint256 before = fee();
    mine({tx({.to = address(7), .gas = 30'000'000})});
    const Uint256 empty = before - before / Uint256(8);
    EXPECT_EQ(fee(), empty);
    mine();
    EXPECT_GT(fee(), empty) << "a full block raises it";
}

TEST_F(SimLedgerBlocks, ReorgRevertsExecutedTransactions) {
    const auto first = tx({.nonce = 0});
    const auto second = tx({.nonce = 1});
    const auto third = tx({.nonce = 2});
    mine({first});
    const auto& old_head = mine({second, third});
    const auto result = ledger.reorg(
        {.depth = 1, .length = 2, .fate = Reorg::Fate::dropped, .fates = {{second->hash, Reorg::Fate::in_new_branch}}},
        UnixTime(100s));
    EXPECT_EQ(canonical(), (std::vector{first->hash, second->hash}));
    EXPECT_EQ(result.dropped, std::vector{third});
    EXPECT_EQ(ledger.head().number(), old_head.number().next());
    EXPECT_EQ(account(scenario.alice).nonce, Nonce(2));
    EXPECT_FALSE(ledger.executed(ledger.head(), third->hash));
    EXPECT_TRUE(ledger.executed(old_head, third->hash)) << "still visible before the reorg is known";
    EXPECT_EQ(ledger.executed(ledger.head(), *scenario.alice.evm_address(), Nonce(1))->transaction, second);
}

TEST_F(SimLedgerBlocks, ExternalTransactionCanTakeTheNonceInAReorg) {
    const auto ours = tx({.nonce = 0});
    const auto theirs = tx({.nonce = 0, .value = 77});
    mine({ours});
    const auto result =
        ledger.reorg({.depth = 1, .fate = Reorg::Fate::in_new_branch, .instead = {theirs}}, UnixTime(100s));
    EXPECT_EQ(canonical(), std::vector{theirs->hash});
    EXPECT_EQ(result.to_mempool, std::vector{ours}) << "not included in the new branch";
}

TEST_F(SimLedgerBlocks, FundingSurvivesAReorg) {
    mine();
    scenario.fund(scenario.alice, 5);
    EXPECT_EQ(account(scenario.alice).balance, ether + Uint256(5));
    mine();
    ledger.reorg({.depth = 2}, UnixTime(100s));
    EXPECT_EQ(account(scenario.alice).balance, ether + Uint256(5));
}

TEST_F(SimLedgerBlocks, FinalityNeverGoesBack) {
    EXPECT_FALSE(ledger.finalized());
    for (int i = 0; i < 70; ++i)
        mine();
    EXPECT_EQ(ledger.finalized(), BlockNumber(6));
    EXPECT_EQ(ledger.head().safe, BlockNumber(38));
    EXPECT_EQ(ledger.deepest_reorg(), 64U);
    ledger.reorg({.depth = 64, .length = 1}, UnixTime(100s));
    EXPECT_EQ(ledger.finalized(), BlockNumber(6));
    EXPECT_EQ(ledger.deepest_reorg(), 1U);
    ledger.reorg({.depth = 3, .past_finality = true}, UnixTime(100s));
    EXPECT_EQ(ledger.head().number(), BlockNumber(8));
    EXPECT_FALSE(ledger.finalized());
}

TEST_F(SimLedgerBlocks, ReorgPastFinalityMustBeRequested) {
    for (int i = 0; i < 70; ++i)
        mine();
    EXPECT_DEATH(ledger.reorg({.depth = 65}, UnixTime(100s)), "finalized blocks cannot be removed");
}

}  // namespace
}  // namespace fencepost::sim
