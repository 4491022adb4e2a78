#include "devchain/dev_ledger.hpp"

#include <gtest/gtest.h>

#include "codec/abi/abi_call.hpp"
#include "devchain/dev_contracts.hpp"
#include "devchain/test_transactions.hpp"

namespace fencepost::devchain {
namespace {

using namespace std::chrono_literals;
using test::begin;
using test::raw;
using enum SendOutcome;

class DevChainLedger : public testing::Test {
protected:
    DevChainLedger() {
        ledger_.on_change([this](const Operation& operation) { history_.push_back(operation); });
        test::fund_all(ledger_);
    }
    SendOutcome submit(const test::TxFields& fields) { return ledger_.submit(raw(fields)).verdict.outcome; }
    static Bytes transfer(const std::string& amount) {
        return codec::encode_call("transfer(address,uint256)",
                                  R"(["0x00000000000000000000000000000000000000ee",")" + amount + "\"]")
            .value();
    }

    DevLedger ledger_{test::genesis};
    std::vector<Operation> history_;
};

TEST_F(DevChainLedger, ReplayRestoresBlocksAndMempool) {
    EXPECT_EQ(submit({.nonce = 0}), accepted);
    EXPECT_EQ(submit({.nonce = 0, .max_fee = 9'000'000'000}), replacement_underpriced);
    EXPECT_EQ(submit({.nonce = 3}), accepted);
    ledger_.mine(begin + 1s);
    ledger_.mine(begin + 2s);
    EXPECT_EQ(submit({.nonce = 1, .to = token_contract(), .value = 0, .data = transfer("5")}), accepted);
    const auto evicted = ledger_.submit(raw({.nonce = 2})).hash;
    EXPECT_TRUE(ledger_.evict(evicted));
    ledger_.mine(begin + 3s);
    EXPECT_TRUE(ledger_.reorg(2, begin + 4s).has_value());
    EXPECT_EQ(submit({.nonce = 1, .value = 7}), accepted);

    DevLedger again(test::genesis);
    for (const auto& operation : history_)
        ASSERT_TRUE(again.replay(operation).has_value());
    EXPECT_EQ(again.head().ref(), ledger_.head().ref());
    EXPECT_EQ(again.ledger().ancestor(again.head(), BlockNumber(0))->hash(),
              ledger_.ledger().ancestor(ledger_.head(), BlockNumber(0))->hash());
    EXPECT_EQ(again.pool().size(), ledger_.pool().size());
    EXPECT_EQ(again.mine(begin + 5s).ref(), ledger_.mine(begin + 5s).ref());
    EXPECT_EQ(again.head().transactions.size(), 1U);
}

TEST_F(DevChainLedger, DetectsADeviatingReplay) {
    submit({});
    ledger_.mine(begin + 1s);
    DevLedger poor(test::genesis);
    EXPECT_FALSE(poor.replay(Received{raw({})}).has_value()) << "no account was funded";
    EXPECT_FALSE(poor.replay(Evicted{TxHash{{1}}}).has_value());
    auto wrong = std::get<Mined>(history_.back());
    EXPECT_FALSE(poor.replay(wrong).has_value()) << "its transaction is missing";
    wrong.transactions.clear();
    EXPECT_FALSE(poor.replay(wrong).has_value()) << "its hash differs";
    EXPECT_FALSE(poor.replay(Reorganised{begin, 99, {}}).has_value());
}

TEST_F(DevChainLedger, RefusesInvalidBytesAndOtherChains) {
    const auto verdict = ledger_.submit(raw({.chain_id = 1})).verdict;
    EXPECT_EQ(verdict.message, "invalid sender: invalid chain id for signer: have 1 want 31337");
    EXPECT_EQ(ledger_.submit(Bytes{1, 2, 3}).verdict.outcome, rejected);
    EXPECT_EQ(submit({.gas = 20'000}), intrinsic_gas);
    EXPECT_EQ(ledger_.pool().size(), 0U);
}

TEST_F(DevChainLedger, DoesNotRecordADuplicateSend) {
    EXPECT_EQ(submit({}), accepted);
    const auto noted = history_.size();
    EXPECT_EQ(submit({}), already_known);
    EXPECT_EQ(history_.size(), noted);
}

TEST_F(DevChainLedger, LimitsReorgsToTheFirstBlock) {
    ledger_.mine(begin + 1s);
    EXPECT_EQ(ledger_.reorg(2, begin + 2s).error().what,
              "cannot replace 2 blocks: the maximum depth is 1, because finalized blocks are permanent");
    EXPECT_FALSE(ledger_.reorg(0, begin + 2s).has_value());
}

TEST_F(DevChainLedger, TransfersTokensUpToTheBalance) {
    const std::string everything = "1000000000000000000000";
    submit({.nonce = 0, .to = token_contract(), .value = 0, .data = transfer(everything)});
    submit({.nonce = 1, .to = token_contract(), .value = 0, .data = transfer("1")});
    const auto& block = ledger_.mine(begin + 1s);
    ASSERT_EQ(block.receipts.size(), 2U);
    EXPECT_TRUE(block.receipts[0].succeeded);
    EXPECT_FALSE(block.receipts[1].succeeded);
    EXPECT_EQ(block.reasons[1], "ERC20: transfer amount exceeds balance");
    const auto asked = codec::encode_call("balanceOf(address)", R"(["0x00000000000000000000000000000000000000ee"])");
    const auto answer =
        ledger_.pending().try_call({.sender = {}, .value = {}, .data = asked.value()}, token_contract());
    EXPECT_EQ(Uint256::from_big_endian(answer.output), Uint256::parse("2000000000000000000000").value());
}

}  // namespace
}  // namespace fencepost::devchain
