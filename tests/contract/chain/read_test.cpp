// How a chain answers reads.
#include "base/text/hex.hpp"
#include "chain_fixture.hpp"

namespace fencepost::contract {
namespace {

constexpr TxHash no_such_hash{{0xde, 0xad}};

// The deployed code always reverts with Error("no").
Bytes code_that_reverts() {
    const std::string reason =
        "08c379a0"
        "0000000000000000000000000000000000000000000000000000000000000020"
        "0000000000000000000000000000000000000000000000000000000000000002"
        "6e6f000000000000000000000000000000000000000000000000000000000000";
    const std::string copy_and_revert = "6064600c60003960646000fd";
    const std::string copy_and_return = "6070600c60003960706000f3";
    return from_hex(copy_and_return + copy_and_revert + reason).value();
}

class ChainReads : public ChainContract {
protected:
    // Uses the account's first nonce.
    Task<std::string> contract_that_reverts() {
        if (auto ready = controls().contract_that_reverts()) {
            co_await mined(transaction({}));
            co_return *ready;
        }
        const auto receipt =
            co_await mined(transaction({.to = std::nullopt, .value = 0, .gas = 500'000, .data = code_that_reverts()}));
        EXPECT_TRUE(receipt.succeeded);
        co_return receipt.contract.value();
    }
    Task<void> not_there() {
        std::vector<TxHash> hashes{no_such_hash};
        EXPECT_EQ((co_await chain().receipts(std::move(hashes), {})).at(0).value(), std::nullopt);
        EXPECT_FALSE((co_await chain().block(BlockNumber(1'000'000'000), {})).value().has_value());
        EXPECT_FALSE((co_await chain().block(BlockHash{{1}})).value().has_value());
        EXPECT_EQ((co_await chain().find(no_such_hash)).value(), std::nullopt);
    }
    Task<void> blocks() {
        const auto receipt = co_await mined(transaction({}));
        const auto by_number =
            (co_await chain().block(receipt.block_number, {.at_least = receipt.block_number})).value().value();
        EXPECT_EQ(by_number.ref.hash, receipt.block_hash);
        EXPECT_EQ(by_number.transactions, std::vector<TxHash>{receipt.hash});
        const auto by_hash = (co_await chain().block(receipt.block_hash)).value().value();
        EXPECT_EQ(by_hash.ref, by_number.ref);
        EXPECT_TRUE(by_hash.base_fee.has_value());
    }
    Task<void> branch() {
        const auto receipt = co_await mined(transaction({}));
        const BlockRef ours{.number = receipt.block_number, .hash = receipt.block_hash, .parent = {}};
        EXPECT_TRUE((co_await chain().block(BlockNumber(0), {.having = ours})).has_value());
        const BlockRef lost{.number = receipt.block_number, .hash = BlockHash{{1}}, .parent = {}};
        EXPECT_EQ(error_of(co_await chain().block(BlockNumber(0), {.having = lost})), RpcError::Kind::no_evidence);
        const BlockRef unheard{.number = BlockNumber(1'000'000'000), .hash = ours.hash, .parent = {}};
        EXPECT_EQ(error_of(co_await chain().block(BlockNumber(0), {.having = unheard})), RpcError::Kind::no_evidence);
    }
    Task<void> too_high() {
        const auto block = co_await chain().block(BlockNumber(0), {.at_least = BlockNumber(1'000'000'000)});
        EXPECT_EQ(error_of(block), RpcError::Kind::no_evidence);
        const auto agreed = co_await chain().block(BlockNumber(0), {.agreeing = 2});
        EXPECT_EQ(error_of(agreed), RpcError::Kind::no_evidence) << "there is only one endpoint";
    }
    Task<void> counts() {
        co_await controls().set_automine(false);
        co_await send(transaction({}));
        EXPECT_EQ((co_await chain().transaction_count(account_, At::latest)).value(), Nonce(0));
        EXPECT_EQ((co_await chain().transaction_count(account_, At::pending)).value(), Nonce(1));
        co_await controls().mine(1);
        EXPECT_EQ((co_await chain().transaction_count(account_, At::latest)).value(), Nonce(1));
        const auto both = (co_await chain().counts(account_)).value();
        EXPECT_EQ(both.latest, Nonce(1));
        EXPECT_EQ(both.pending, Nonce(1));
        EXPECT_EQ(both.answered, 1U);
        EXPECT_EQ(both.endpoints, 1U);
        EXPECT_LT((co_await chain().balance(account_, At::latest)).value(),
                  Wei(Uint256::parse("1000000000000000000000").value()));
    }
    Task<void> eviction() {
        co_await controls().set_automine(false);
        const auto waiting = transaction({});
        co_await send(waiting);
        const auto found = (co_await chain().find(waiting.hash)).value();
        EXPECT_EQ(found, TxLocation{});
        co_await controls().drop(waiting.hash);
        EXPECT_EQ((co_await chain().find(waiting.hash)).value(), std::nullopt);
    }
    Task<void> mempool() {
        co_await controls().set_automine(false);
        const auto waiting = transaction({});
        co_await send(waiting);
        const auto held = co_await chain().pending_at(account_, Nonce(0));
        EXPECT_EQ(held.value(), waiting.hash);
        const auto above = co_await chain().pending_at(account_, Nonce(1));
        if (controls().behaviour().shows_mempool) {
            EXPECT_EQ(above.value(), std::nullopt);
        } else {
            EXPECT_EQ(error_of(above), RpcError::Kind::unsupported);
        }
    }
    Task<void> fees() {
        for (const auto speed : {Speed::slow, Speed::normal, Speed::fast}) {
            const auto fees = (co_await chain().fees(speed)).value();
            EXPECT_GT(max_fee(fees), Wei(0));
            EXPECT_LE(max_priority_fee(fees), max_fee(fees));
        }
    }
    Task<void> estimate() {
        const Call plain{.from = account_, .to = "0x00000000000000000000000000000000000000ee", .value = Wei(1)};
        const auto gas = (co_await chain().estimate_gas(plain, At::latest)).value();
        EXPECT_GE(std::get<Gas>(gas), Gas(21'000));
        const Call reverts{.from = account_, .to = co_await contract_that_reverts()};
        const auto answer = (co_await chain().estimate_gas(reverts, At::latest)).value();
        EXPECT_EQ(std::get<Reverted>(answer).reason, "no");
    }
    Task<void> reason() {
        const auto contract = co_await contract_that_reverts();
        const auto receipt = co_await mined(transaction({.nonce = 1, .to = contract, .value = 0, .gas = 100'000}));
        EXPECT_FALSE(receipt.succeeded);
        EXPECT_EQ((co_await chain().failure_reason(receipt)).value(), "no");
    }
    Task<void> consumer() {
        const auto first = transaction({.nonce = 0});
        co_await mined(first);
        co_await controls().mine(3);
        const auto receipt = co_await mined(transaction({.nonce = 1}));
        const auto use = (co_await chain().find_nonce_use(account_, Nonce(0))).value();
        EXPECT_TRUE(use.consumed);
        EXPECT_EQ(use.by, first.hash);
        EXPECT_EQ((co_await chain().find_nonce_use(account_, Nonce(1))).value().where->block_hash, receipt.block_hash);
        EXPECT_FALSE((co_await chain().find_nonce_use(account_, Nonce(2))).value().consumed);
    }
    Task<void> stalled() {
        EXPECT_TRUE((co_await chain().balance(account_, At::latest)).has_value());
        controls().stall();
        const auto balance = co_await chain().balance(account_, At::latest);
        EXPECT_EQ(error_of(balance), RpcError::Kind::timed_out);
        const auto what = balance ? std::string{} : balance.error().what;
        EXPECT_TRUE(what.starts_with("node: ")) << what;
        controls().resume();
        while (!(co_await chain().balance(account_, At::latest)).has_value())
            co_await pause();
    }
};

TEST_P(ChainReads, NotFoundIsNotAnError) { run(not_there()); }
TEST_P(ChainReads, BlockIsSameByNumberAndHash) { run(blocks()); }
TEST_P(ChainReads, ReportsMissingEvidence) { run(too_high()); }
TEST_P(ChainReads, ReadsBlockOfRequestedBranch) { run(branch()); }
TEST_P(ChainReads, CountsMinedOrPendingTransactions) { run(counts()); }
TEST_P(ChainReads, EvictedTransactionIsNotFound) { run(eviction()); }
TEST_P(ChainReads, ShowsPendingAtNonceOrIsUnsupported) { run(mempool()); }
TEST_P(ChainReads, TipNeverExceedsMaxFee) { run(fees()); }
TEST_P(ChainReads, EstimateIsGasOrFailureReason) { run(estimate()); }
TEST_P(ChainReads, ReportsRevertReasonOfMinedTransaction) { run(reason()); }
TEST_P(ChainReads, NamesConsumerOfNonce) { run(consumer()); }
TEST_P(ChainReads, TimeoutIsReadableError) { run(stalled()); }

class ChainHeads : public ChainContract {
protected:
    Task<void> in_order() {
        co_await controls().set_automine(false);
        const auto heads = chain().heads();
        auto last = (co_await heads->next()).change.added.back();
        for (int i = 0; i < 5; ++i) {
            co_await controls().mine(1);
            const auto before = last.number;
            while (last.number == before) {
                const auto event = co_await heads->next();
                EXPECT_TRUE(event.change.removed.empty());
                for (const auto& block : event.change.added) {
                    EXPECT_EQ(block.parent, last.hash);
                    last = block;
                }
            }
        }
    }
    Task<void> reorg() {
        co_await controls().set_automine(false);
        const auto heads = chain().heads();
        auto top = (co_await heads->next()).change.added.back();
        const auto target = top.number.plus(4);
        co_await controls().mine(4);
        while (top.number < target) {
            // An event may report only that more blocks are settled.
            const auto event = co_await heads->next();
            if (!event.change.added.empty()) top = event.change.added.back();
        }
        co_await controls().reorg(3);
        auto event = co_await heads->next();
        while (event.change.removed.empty() && event.change.common_ancestor)
            event = co_await heads->next();
        EXPECT_EQ(event.change.removed.size(), controls().behaviour().is_final_at_once ? 0U : 3U);
        EXPECT_EQ(event.change.common_ancestor.has_value(), !controls().behaviour().is_final_at_once);
        EXPECT_GE(event.change.added.back().number, target);
        EXPECT_EQ(event.change.added.size(), event.blocks.size());
        const auto now = (co_await chain().block(target, {})).value().value();
        EXPECT_NE(now.ref.hash, top.hash);
    }
};

TEST_P(ChainHeads, ArriveInOrder) { run(in_order()); }
TEST_P(ChainHeads, ReorgReportsRemovedAndAddedBlocks) { run(reorg()); }

INSTANTIATE_TEST_SUITE_P(On, ChainReads, testing::ValuesIn(all_chains()), name_of_chain);
INSTANTIATE_TEST_SUITE_P(On, ChainHeads, testing::ValuesIn(all_chains()), name_of_chain);

}  // namespace
}  // namespace fencepost::contract
