// Searching a hash, the transaction pending at a nonce, and failure reasons.
#include "evm/diagnosis.hpp"

#include <gtest/gtest.h>

#include "evm/json_values.hpp"
#include "evm/test_rpc.hpp"
#include "evm/test_run.hpp"

namespace fencepost::evm {
namespace {

using boost::json::object;
using test::node_error;
using test::some_account;
using test::TestRpc;

template <typename Hash>
Hash hash_of(std::uint8_t byte) {
    Hash hash;
    hash.data.fill(byte);
    return hash;
}
const auto the_hash = hash_of<TxHash>(1);
const auto the_block = hash_of<BlockHash>(2);

object transaction(bool mined) {
    object json{{"hash", write_data(the_hash.view())},
                {"from", some_account.to_lower()},
                {"nonce", "0x7"},
                {"to", "0x" + std::string(40, 'b')},
                {"gas", "0x5208"},
                {"value", "0x0"},
                {"input", "0x01"},
                {"gasPrice", "0x9"}};
    json["blockNumber"] = mined ? Json("0x10") : Json{};
    json["blockHash"] = mined ? write_data(the_block.view()) : Json{};
    return json;
}

TestRpc::Endpoint always(Answer answer) {
    return [answer = std::move(answer)](const Request&) { return answer; };
}

RpcResult<std::optional<TxLocation>> find_on(std::vector<TestRpc::Endpoint> endpoints) {
    TestRpc rpc({});
    rpc.endpoints = std::move(endpoints);
    Diagnosis diagnosis(rpc);
    return test::run(diagnosis.find(the_hash));
}

TEST(Diagnosis, FindsHashAnywherePreferringABlock) {
    const TxLocation mined{BlockNumber(16), the_block};
    const auto waiting = always(Json(transaction(false)));
    const auto in_block = always(Json(transaction(true)));
    const auto nothing = always(Json{});
    const auto silent = always(err(test::no_answer()));
    EXPECT_EQ(find_on({nothing, waiting, in_block}).value(), mined);
    EXPECT_EQ(find_on({in_block, waiting}).value(), mined);
    EXPECT_EQ(find_on({nothing, waiting, silent}).value(), TxLocation{});
    EXPECT_EQ(find_on({nothing, silent}).value(), std::nullopt);
    EXPECT_FALSE(find_on({silent, silent})) << "an error never means \"not found\"";
    EXPECT_FALSE(find_on({}));
    EXPECT_EQ(find_on({always(Json(7))}).error().kind, RpcError::Kind::malformed);
}

RpcResult<std::optional<TxHash>> pending_on(std::vector<TestRpc::Endpoint> endpoints) {
    TestRpc rpc({});
    rpc.endpoints = std::move(endpoints);
    Diagnosis diagnosis(rpc);
    return test::run(diagnosis.pending_at(some_account, Nonce(7)));
}

TEST(Diagnosis, ReadsPendingAtNonceFromAnyExposedMempool) {
    const auto pending = always(Json(object{{"pending", object{{"7", transaction(false)}}}, {"queued", object{}}}));
    const auto queued = always(Json(object{{"pending", object{}}, {"queued", object{{"7", transaction(false)}}}}));
    const auto other = always(Json(object{{"pending", object{{"8", transaction(false)}}}}));
    const auto unsupported = always(err(test::no_method()));
    EXPECT_EQ(pending_on({unsupported, other, pending}).value(), the_hash);
    EXPECT_EQ(pending_on({queued}).value(), the_hash);
    EXPECT_EQ(pending_on({other, unsupported}).value(), std::nullopt);
    EXPECT_EQ(pending_on({unsupported}).error().kind, RpcError::Kind::unsupported);
    EXPECT_EQ(pending_on({always(Json("pool"))}).error().kind, RpcError::Kind::malformed);
    EXPECT_EQ(pending_on({always(Json(object{{"pending", object{{"7", 1}}}}))}).error().kind,
              RpcError::Kind::malformed);
}

TestRpc::Endpoint shows_next_block(Json block) {
    return [block = std::move(block)](const Request& request) {
        return request.method == "eth_getBlockByNumber" ? Answer(block) : Answer(err(test::no_method()));
    };
}

TEST(Diagnosis, UsesNextBlockWhenNoMempoolIsExposed) {
    auto other_sender = transaction(false);
    other_sender["from"] = "0x" + std::string(40, 'c');
    auto later = transaction(false);
    later["nonce"] = "0x8";
    const auto with =
        shows_next_block(object{{"transactions", boost::json::array{other_sender, later, transaction(false)}}});
    const auto without = shows_next_block(object{{"transactions", boost::json::array{other_sender, later, "0x01"}}});
    EXPECT_EQ(pending_on({without, with}).value(), the_hash);
    EXPECT_EQ(pending_on({without, shows_next_block(Json{})}).error().kind, RpcError::Kind::unsupported)
        << "a transaction missing from it may still be pending";
}

RpcResult<std::string> reason(Answer replay, Json shown = transaction(true), std::uint64_t gas_used = 20'000) {
    TestRpc rpc([&](const Request& request) { return request.method == "eth_call" ? replay : Answer(shown); });
    Diagnosis diagnosis(rpc);
    const Receipt receipt{
        .hash = the_hash, .block_number = BlockNumber(16), .block_hash = the_block, .gas_used = Gas(gas_used)};
    auto result = test::run(diagnosis.failure_reason(receipt));
    for (const auto& asked : rpc.asked) {
        EXPECT_EQ(asked.evidence.at_least, BlockNumber(16));
        if (asked.batch.at(0).method != "eth_call") continue;
        EXPECT_EQ(asked.batch.at(0).params.at(1), Json("0xf")) << "the state before its block";
        EXPECT_FALSE(asked.batch.at(0).params.at(0).as_object().contains("gasPrice"));
        EXPECT_EQ(asked.batch.at(0).params.at(0).at("data"), Json("0x01"));
    }
    return result;
}

TEST(Diagnosis, ReplaysFailedTransactionForReason) {
    EXPECT_EQ(reason(err(node_error(3, "execution reverted: not yours"))).value(), "not yours");
    EXPECT_EQ(reason(err(node_error(-32000, "out of gas"))).value(), "out of gas");
    EXPECT_TRUE(reason(Json("0x")).value().starts_with("no reason found"));
    EXPECT_EQ(reason(Json("0x"), transaction(true), 21'000).value(), "out of gas") << "it used its whole gas limit";
}

TEST(Diagnosis, ReportsErrorWithoutStateOrTransaction) {
    EXPECT_EQ(reason(err(node_error(-32000, "missing trie node"))).error().kind, RpcError::Kind::refused);
    EXPECT_EQ(reason(err(test::no_answer())).error().kind, RpcError::Kind::unreachable);
    EXPECT_EQ(reason(Json("0x"), Json{}).error().kind, RpcError::Kind::no_evidence);
    EXPECT_EQ(reason(Json("0x"), transaction(false)).error().kind, RpcError::Kind::no_evidence) << "a reorg removed it";
}

}  // namespace
}  // namespace fencepost::evm
