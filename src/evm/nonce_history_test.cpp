// Finding the transaction that consumed a nonce, also on pruned nodes.
#include "evm/nonce_history.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "evm/test_rpc.hpp"
#include "evm/test_run.hpp"

namespace fencepost::evm {
namespace {

using test::node_error;
using test::some_account;
using test::TestRpc;

const Address other_sender = Address::parse("0x" + std::string(40, 'b')).value();

template <typename Hash>
Hash numbered_hash(std::uint64_t number) {
    Hash hash;
    for (std::size_t i = 0; i < 8; ++i)
        hash.data[i] = static_cast<std::uint8_t>(number >> (8 * i));
    hash.data[31] = 1;
    return hash;
}

// A node on which the account's nonces 0, 1, … were consumed in these blocks.
struct Ledger {
    std::vector<std::uint64_t> consumed_in;
    std::uint64_t head = 1'000'000;
    /// Number of recent blocks with state; all by default.
    std::uint64_t state_kept = ~0ULL;
    jsonrpc::Error no_state = node_error(-32000, "missing trie node 0xab (path )");
    bool null_without_state = false;
    /// Consumed by an EIP-7702 authorization, not by a transaction of the account.
    std::optional<std::uint64_t> authorized{};

    [[nodiscard]] std::uint64_t count(std::uint64_t block) const {
        return static_cast<std::uint64_t>(std::ranges::count_if(consumed_in, [&](auto b) { return b <= block; }));
    }

    [[nodiscard]] Answer block(std::uint64_t number) const {
        if (number > head) return Json{};
        boost::json::array transactions{transaction(other_sender, 0, number)};
        for (std::uint64_t nonce = 0; nonce < consumed_in.size(); ++nonce) {
            if (consumed_in[nonce] == number && authorized != nonce)
                transactions.push_back(transaction(some_account, nonce, number));
        }
        return Json(boost::json::object{{"hash", write_data(numbered_hash<BlockHash>(number).view())},
                                        {"transactions", std::move(transactions)}});
    }

    static Json transaction(const Address& from, std::uint64_t nonce, std::uint64_t block) {
        return boost::json::object{{"hash", write_data(numbered_hash<TxHash>(nonce).view())},
                                   {"from", from.to_lower()},
                                   {"nonce", write_quantity(nonce)},
                                   {"blockNumber", write_quantity(block)},
                                   {"blockHash", write_data(numbered_hash<BlockHash>(block).view())}};
    }

    Answer operator()(const Request& request) const {
        if (request.method == "eth_blockNumber") return write_quantity(head);
        if (request.method == "eth_getBlockByNumber") return block(read_uint64(request.params.at(0), "number").value());
        if (request.method != "eth_getTransactionCount") return err(test::no_method());
        if (request.params.at(1) == Json("latest")) return write_quantity(count(head));
        const auto number = read_uint64(request.params.at(1), "number").value();
        if (head - number < state_kept) return write_quantity(count(number));
        return null_without_state ? Answer(Json{}) : Answer(err(no_state));
    }
};

RpcResult<NonceUse> find_nonce_use(TestRpc& rpc, std::uint64_t nonce, NonceHistoryOptions options = {}) {
    NonceHistory history(rpc, options);
    return test::run(history.find_nonce_use(some_account, Nonce(nonce)));
}
RpcResult<NonceUse> find_nonce_use(const Ledger& ledger, std::uint64_t nonce, NonceHistoryOptions options = {}) {
    TestRpc rpc(ledger);
    return find_nonce_use(rpc, nonce, options);
}

void expect_named(const RpcResult<NonceUse>& use, std::uint64_t nonce, std::uint64_t block) {
    ASSERT_TRUE(use) << use.error().what;
    EXPECT_TRUE(use->consumed);
    EXPECT_EQ(use->by, numbered_hash<TxHash>(nonce));
    EXPECT_EQ(use->where, (TxLocation{BlockNumber(block), numbered_hash<BlockHash>(block)}));
}

TEST(NonceHistory, FindsConsumerByBisection) {
    TestRpc rpc(Ledger{.consumed_in = {5, 77, 77, 500'000, 999'999, 1'000'000}});
    expect_named(find_nonce_use(rpc, 3), 3, 500'000);
    EXPECT_LT(rpc.asked.size(), 10U) << "for a million blocks";
    expect_named(find_nonce_use(rpc, 0), 0, 5);
    expect_named(find_nonce_use(rpc, 1), 1, 77);
    expect_named(find_nonce_use(rpc, 2), 2, 77);
    expect_named(find_nonce_use(rpc, 4), 4, 999'999);
    expect_named(find_nonce_use(rpc, 5), 5, 1'000'000);
}

TEST(NonceHistory, NonceAtOrAboveCountIsNotConsumed) {
    const Ledger ledger{.consumed_in = {5, 77}};
    for (const std::uint64_t nonce : {2U, 3U}) {
        const auto use = find_nonce_use(ledger, nonce);
        ASSERT_TRUE(use);
        EXPECT_FALSE(use->consumed);
        EXPECT_FALSE(use->by);
    }
}

TEST(NonceHistory, HighestEndpointDecidesHeightOfSearch) {
    const Ledger ledger{.consumed_in = {5, 900'000}};
    Ledger behind = ledger;
    behind.consumed_in = {5};
    behind.head = 800'000;
    TestRpc rpc(ledger);
    rpc.endpoints.emplace_back(behind);
    rpc.endpoints.emplace_back([](const Request&) -> Answer { return err(test::no_answer()); });
    expect_named(find_nonce_use(rpc, 1), 1, 900'000);
    for (std::size_t i = 1; i < rpc.asked.size(); ++i)
        EXPECT_EQ(rpc.asked[i].evidence.at_least, BlockNumber(1'000'000));
}

TEST(NonceHistory, BisectsRecentConsumersOnPrunedNode) {
    expect_named(find_nonce_use(Ledger{.consumed_in = {999'950}, .state_kept = 128}, 0), 0, 999'950);
}

TEST(NonceHistory, ReadsBlocksBelowAvailableState) {
    for (const auto* words : {"missing trie node 0xab", "required historical state unavailable (reexec=128)",
                              "state not available", "header not found", "state at block #7 is pruned"}) {
        const Ledger ledger{.consumed_in = {5, 999'800}, .state_kept = 128, .no_state = node_error(-32000, words)};
        expect_named(find_nonce_use(ledger, 1), 1, 999'800);
    }
    expect_named(find_nonce_use(Ledger{.consumed_in = {999'800}, .state_kept = 128, .null_without_state = true}, 0), 0,
                 999'800);
    expect_named(find_nonce_use(Ledger{.consumed_in = {0, 3}, .head = 9, .state_kept = 2}, 1), 1, 3);
}

TEST(NonceHistory, ConsumerBeyondLimitIsUnnamed) {
    const Ledger ledger{.consumed_in = {5, 900'000}, .state_kept = 128};
    TestRpc rpc(ledger);
    const auto use = find_nonce_use(rpc, 0);
    ASSERT_TRUE(use);
    EXPECT_TRUE(use->consumed);
    EXPECT_FALSE(use->by);
    EXPECT_FALSE(use->where);
    EXPECT_EQ(rpc.count("eth_getBlockByNumber"), 256U);
}

TEST(NonceHistory, ScanEndsAtOlderNonce) {
    TestRpc rpc(Ledger{.consumed_in = {999'790, 999'800, 999'810}, .state_kept = 128, .authorized = 1});
    const auto use = find_nonce_use(rpc, 1);
    ASSERT_TRUE(use);
    EXPECT_TRUE(use->consumed);
    EXPECT_FALSE(use->by);
    EXPECT_LT(rpc.count("eth_getBlockByNumber"), 170U);
}

TEST(NonceHistory, NonceUsedByAuthorizationHasBlockOnly) {
    const auto use = find_nonce_use(Ledger{.consumed_in = {5, 900'000}, .authorized = 1}, 1);
    ASSERT_TRUE(use);
    EXPECT_TRUE(use->consumed);
    EXPECT_FALSE(use->by);
    EXPECT_EQ(use->where->block_number, BlockNumber(900'000));
}

TEST(NonceHistory, ErrorIsNeverAnAnswer) {
    TestRpc silent([](const Request&) -> Answer { return err(test::no_answer()); });
    EXPECT_EQ(find_nonce_use(silent, 0).error().kind, RpcError::Kind::unreachable);

    const Ledger ledger{.consumed_in = {5}};
    TestRpc flaky([ledger](const Request& request) -> Answer {
        if (request.params.size() > 1 && request.params.at(1).is_string() && request.params.at(1) != Json("latest")) {
            return err(node_error(-32603, "Internal error"));
        }
        return ledger(request);
    });
    EXPECT_EQ(find_nonce_use(flaky, 0).error().kind, RpcError::Kind::refused);
}

TEST(NonceHistory, ChainChangeDuringSearchGivesNoEvidence) {
    Ledger ledger{.consumed_in = {5, 900'000}};
    TestRpc rpc([&ledger](const Request& request) { return ledger(request); });
    rpc.before_batch = [&] {
        if (rpc.asked.size() == 4) ledger.consumed_in[1] = 900'500;
    };
    const auto use = find_nonce_use(rpc, 1);
    EXPECT_TRUE(!use || use->where->block_number == BlockNumber(900'500)) << "never a block it is not in";
}

RC_GTEST_PROP(NonceHistory, NamesRightTransactionForAnyHistory, ()) {
    Ledger ledger;
    ledger.head = *rc::gen::inRange<std::uint64_t>(0, 3000);
    const auto transactions = *rc::gen::inRange<std::size_t>(1, 30);
    for (std::size_t i = 0; i < transactions; ++i)
        ledger.consumed_in.push_back(*rc::gen::inRange<std::uint64_t>(ledger.head > 0 ? 1 : 0, ledger.head + 1));
    std::ranges::sort(ledger.consumed_in);
    if (*rc::gen::arbitrary<bool>()) ledger.state_kept = *rc::gen::inRange<std::uint64_t>(1, 3000);
    const auto nonce = *rc::gen::inRange<std::uint64_t>(0, transactions);
    const auto use = find_nonce_use(ledger, nonce, {.scan_blocks = 4000, .scan_batch = 50, .bisect_batch = 3});
    RC_ASSERT(use.has_value());
    RC_ASSERT(use->by == numbered_hash<TxHash>(nonce));
    RC_ASSERT(use->where->block_number == BlockNumber(ledger.consumed_in[nonce]));
}

}  // namespace
}  // namespace fencepost::evm
