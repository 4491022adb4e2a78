// How a chain answers sends.
#include "chain_fixture.hpp"

namespace fencepost::contract {
namespace {

using enum SendOutcome;

class ChainSends : public ChainContract {
protected:
    Task<void> expect(TransactionRequest wish, SendOutcome outcome) {
        const auto answer = co_await send(transaction(wish));
        EXPECT_EQ(answer.outcome, outcome) << answer.message;
    }
    Task<void> accepted_and_mined() {
        const auto first = transaction({});
        const auto receipt = co_await mined(first);
        EXPECT_EQ(receipt.hash, first.hash);
        EXPECT_TRUE(receipt.succeeded);
        EXPECT_EQ(receipt.gas_used, Gas(21'000));
        co_await expect({.nonce = 0, .value = 2}, nonce_too_low);
    }
    Task<void> twice() {
        co_await controls().set_automine(false);
        co_await expect({}, accepted);
        co_await expect({}, already_known);
    }
    Task<void> same_price() {
        co_await controls().set_automine(false);
        co_await expect({.value = 1}, accepted);
        co_await expect({.value = 2}, replacement_underpriced);
    }
    Task<void> cheap() { co_await expect({.max_fee = 1, .tip = 0}, controls().behaviour().to_a_low_fee); }
    Task<void> tip_over_fee() {
        const auto answer = co_await send(transaction({.max_fee = 100'000'000'000, .tip = 200'000'000'000}));
        EXPECT_FALSE(is_held(answer.outcome)) << answer.message;
    }
    Task<void> poor() {
        const auto unfunded = codec::PrivateKey::from_hex(std::string(62, '0') + "7f").value();
        const auto answer = co_await send(signed_by(unfunded, {.value = 1'000'000'000'000'000'000}));
        EXPECT_EQ(answer.outcome, insufficient_funds) << answer.message;
    }
    Task<void> little_gas() { co_await expect({.gas = 20'000}, intrinsic_gas); }
    Task<void> much_gas() { co_await expect({.gas = 500'000'000}, over_block_gas_limit); }
    Task<void> gap() { co_await expect({.nonce = 5}, controls().behaviour().to_a_gap); }
    Task<void> garbage() {
        const auto reports = co_await chain().send({.from = account_, .items = {{Nonce(0), Bytes{1, 2, 3}}}});
        EXPECT_EQ(reports.at(0).answers.at(0).outcome, controls().behaviour().to_garbage);
    }
    Task<void> many() {
        SendBatch batch{.from = account_, .items = {}};
        std::vector<TxHash> hashes;
        co_await controls().set_automine(false);
        for (std::uint64_t nonce = 0; nonce < 30; ++nonce) {
            const auto one = transaction({.nonce = nonce});
            batch.items.push_back({Nonce(nonce), one.raw});
            hashes.push_back(one.hash);
        }
        for (const auto& report : co_await chain().send(std::move(batch)))
            EXPECT_EQ(report.answers.at(0).outcome, accepted) << report.answers.at(0).message;
        co_await controls().mine(1);
        std::vector<TxHash> first{hashes.front()};
        const auto one = (co_await chain().receipts(std::move(first), {})).at(0).value().value();
        const BlockRef block{one.block_number, one.block_hash, {}};
        const auto receipts = co_await chain().receipts_in(block, hashes);
        for (std::size_t i = 0; i < hashes.size(); ++i)
            EXPECT_EQ(receipts.at(i).value().value().hash, hashes[i]);
    }
    Task<std::vector<Presence>> presence(std::vector<SignedTransaction> transactions) {
        std::vector<PoolQuery> questions;
        for (const auto& each : transactions)
            questions.push_back({Nonce(questions.size()), {each.hash}});
        const auto views = co_await chain().query_pools(account_, std::move(questions));
        co_return views.value().at(0).presence;
    }
    Task<void> dropped() {
        using All = std::vector<Presence>;
        co_await controls().set_automine(false);
        const std::vector<SignedTransaction> three{transaction({.nonce = 0}), transaction({.nonce = 1}),
                                                   transaction({.nonce = 2})};
        for (const auto& each : three)
            EXPECT_EQ((co_await send(each)).outcome, accepted);
        EXPECT_EQ(co_await presence(three), All(3, Presence::held));
        co_await controls().drop(three.back().hash);
        const All last_is_absent{Presence::held, Presence::held, Presence::absent};
        EXPECT_EQ(co_await presence(three), last_is_absent);
        co_await controls().mine(1);
        EXPECT_EQ(co_await presence(three), last_is_absent) << "a mined transaction counts as held";
    }
    Task<void> stalled() {
        controls().stall();
        const auto answer = co_await send(transaction({}));
        EXPECT_EQ(answer.outcome, unknown);
        controls().resume();
    }
};

TEST_P(ChainSends, AcceptedTransactionIsMinedThenNonceTooLow) { run(accepted_and_mined()); }
TEST_P(ChainSends, ReportsTheSameBytesAsAlreadyKnown) { run(twice()); }
TEST_P(ChainSends, SamePriceReplacementIsUnderpriced) { run(same_price()); }
TEST_P(ChainSends, ReportsMaxFeeBelowBaseFee) { run(cheap()); }
TEST_P(ChainSends, RejectsTipAboveMaxFee) { run(tip_over_fee()); }
TEST_P(ChainSends, ReportsInsufficientFunds) { run(poor()); }
TEST_P(ChainSends, ReportsTooLittleGas) { run(little_gas()); }
TEST_P(ChainSends, ReportsGasAboveBlockLimit) { run(much_gas()); }
TEST_P(ChainSends, GappedNonceIsQueuedOrTooHigh) { run(gap()); }
TEST_P(ChainSends, NonTransactionIsUnknownOrRefused) { run(garbage()); }
TEST_P(ChainSends, SendsManyInOneCallWithReceiptsInOrder) { run(many()); }
TEST_P(ChainSends, DroppedTransactionIsAbsentFromMempool) { run(dropped()); }
TEST_P(ChainSends, TimeoutIsUnknown) { run(stalled()); }

INSTANTIATE_TEST_SUITE_P(On, ChainSends, testing::ValuesIn(all_chains()), name_of_chain);

}  // namespace
}  // namespace fencepost::contract
