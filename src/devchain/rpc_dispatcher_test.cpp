#include "devchain/rpc_dispatcher.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text/hex.hpp"
#include "devchain/dev_contracts.hpp"
#include "devchain/test_transactions.hpp"
#include "system/system_clock.hpp"

namespace fencepost::devchain {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

class DevChainRpc : public testing::Test {
protected:
    DevChainRpc() { test::fund_all(ledger_); }

    json::object ask(const std::string& method, const std::string& params = "[]") {
        const auto text = fmt::format(R"({{"jsonrpc":"2.0","id":1,"method":"{}","params":{}}})", method, params);
        return json::parse(dispatcher_.answer(text)).as_object();
    }
    json::value result(const std::string& method, const std::string& params = "[]") {
        const auto answer = ask(method, params);
        EXPECT_TRUE(answer.contains("result")) << json::serialize(answer);
        return answer.contains("result") ? answer.at("result") : json::value{};
    }
    std::string error(const std::string& method, const std::string& params) {
        const auto answer = ask(method, params);
        EXPECT_TRUE(answer.contains("error")) << json::serialize(answer);
        if (!answer.contains("error")) return "";
        const auto& error = answer.at("error").as_object();
        return fmt::format("{} {}", error.at("code").as_int64(), std::string_view(error.at("message").as_string()));
    }
    std::string send(const test::TxFields& fields) {
        return fmt::format(R"(["{}"])", to_hex_prefixed(test::raw(fields)));
    }

    SystemClock clock_;
    DevLedger ledger_{test::genesis};
    RpcDispatcher dispatcher_{ledger_, clock_, false};
};

TEST_F(DevChainRpc, AnswersMalformedRequestsWithErrors) {
    EXPECT_TRUE(dispatcher_.answer("").contains("-32700"));
    EXPECT_TRUE(dispatcher_.answer("{").contains("-32700"));
    EXPECT_TRUE(dispatcher_.answer(std::string(100, '[')).contains("-32700"));
    for (const auto* text : {"7", "null", "\"eth_chainId\"", "{}", R"({"method":7})", R"({"method":"x","id":[]})"}) {
        EXPECT_TRUE(dispatcher_.answer(text).contains("-32600")) << text;
    }
    EXPECT_EQ(error("eth_chainId", "{}"), "-32602 non-array args");
    EXPECT_EQ(error("eth_nonsense", "[]"), "-32601 the method eth_nonsense does not exist/is not available");
    EXPECT_EQ(error("eth_getBalance", "[]"), "-32602 missing value for required argument 0");
    EXPECT_EQ(error("eth_getBalance", R"(["0x12"])"), "-32602 invalid argument 0: it has 1 bytes instead of 20");
    EXPECT_EQ(error("eth_getBlockByNumber", R"(["newest"])"),
              "-32602 invalid argument 0: it is not a hexadecimal quantity");
    EXPECT_EQ(error("eth_getTransactionCount", R"(["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x99"])"),
              "-32000 header not found");
    EXPECT_EQ(error("eth_call", R"([{"to":5}])"), "-32602 invalid argument 0: to is not hexadecimal data");
    EXPECT_EQ(error("eth_feeHistory", R"(["0x2","latest",[90,10]])"), "-32000 invalid reward percentile");
    EXPECT_EQ(error("anvil_reorg", "[5]"),
              "-32000 cannot replace 5 blocks: the maximum depth is 0, because finalized blocks are permanent");
}

TEST_F(DevChainRpc, AnswersABatchInOrderWithoutNotifications) {
    const auto answer = json::parse(dispatcher_.answer(
        R"([{"id":"a","method":"eth_chainId"},{"method":"eth_chainId"},{"id":2,"method":"eth_blockNumber"}])"));
    ASSERT_EQ(answer.as_array().size(), 2U);
    EXPECT_EQ(answer.at(0).at("id"), "a");
    EXPECT_EQ(answer.at(0).at("result"), "0x7a69");
    EXPECT_EQ(answer.at(1).at("id"), 2);
    EXPECT_EQ(dispatcher_.answer(R"([{"method":"eth_chainId"}])"), "");
    EXPECT_EQ(dispatcher_.answer(R"({"method":"eth_chainId"})"), "");
    EXPECT_TRUE(dispatcher_.answer("[]").contains("empty batch"));
}

TEST_F(DevChainRpc, ShowsATransactionPendingAndThenMined) {
    const auto hash = result("eth_sendRawTransaction", send({})).as_string();
    const auto by_hash = fmt::format(R"(["{}"])", std::string_view(hash));
    EXPECT_TRUE(result("eth_getTransactionByHash", by_hash).at("blockHash").is_null());
    EXPECT_TRUE(result("eth_getTransactionReceipt", by_hash).is_null());
    EXPECT_EQ(result("eth_getBlockByNumber", R"(["pending",false])").at("transactions").at(0), hash);
    EXPECT_EQ(result("txpool_status").at("pending"), "0x1");

    ledger_.mine(test::begin + 1s);
    const auto transaction = result("eth_getTransactionByHash", by_hash);
    const auto receipt = result("eth_getTransactionReceipt", by_hash);
    EXPECT_EQ(transaction.at("blockNumber"), "0x1");
    EXPECT_EQ(transaction.at("type"), "0x2");
    EXPECT_EQ(receipt.at("status"), "0x1");
    EXPECT_EQ(receipt.at("blockHash"), transaction.at("blockHash"));
    EXPECT_EQ(receipt.at("gasUsed"), "0x5208");
    EXPECT_EQ(result("eth_getBlockReceipts", R"(["0x1"])").at(0), receipt);
    EXPECT_EQ(result("eth_getBlockByNumber", R"(["0x1",true])").at("transactions").at(0), transaction);
    EXPECT_EQ(result("txpool_status").at("pending"), "0x0");
}

TEST_F(DevChainRpc, RefusesWithGethErrorMessages) {
    EXPECT_EQ(error("eth_sendRawTransaction", send({.gas = 20'000})),
              "-32000 intrinsic gas too low: gas 20000, minimum needed 21000");
    result("eth_sendRawTransaction", send({}));
    EXPECT_EQ(error("eth_sendRawTransaction", send({})), "-32000 already known");
    ledger_.mine(test::begin + 1s);
    EXPECT_EQ(error("eth_sendRawTransaction", send({.value = 2})), "-32000 nonce too low: next nonce 1, tx nonce 0");
}

TEST_F(DevChainRpc, ReportsTheRevertReasonAsTextAndData) {
    const auto params = fmt::format(R"([{{"to":"{}"}},"latest"])", refusing_contract().to_lower());
    for (const auto* method : {"eth_call", "eth_estimateGas"}) {
        const auto answer = ask(method, params).at("error").as_object();
        EXPECT_EQ(answer.at("code"), 3);
        EXPECT_EQ(answer.at("message"), "execution reverted: no");
        EXPECT_TRUE(answer.at("data").as_string().starts_with("0x08c379a0"));
    }
}

TEST_F(DevChainRpc, FeeHistoryEndsWithTheNextBaseFee) {
    result("eth_sendRawTransaction", send({}));
    ledger_.mine(test::begin + 1s);
    const auto history = result("eth_feeHistory", R"(["0x5","latest",[50]])");
    EXPECT_EQ(history.at("oldestBlock"), "0x0");
    EXPECT_EQ(history.at("baseFeePerGas").as_array().size(), 3U);
    EXPECT_EQ(history.at("reward").at(0).at(0), "0x0");
    EXPECT_EQ(history.at("reward").at(1).at(0), "0x3b9aca00");
    EXPECT_EQ(result("eth_feeHistory", R"([0,"latest"])").at("baseFeePerGas").as_array().size(), 1U);
}

TEST_F(DevChainRpc, MinesAtOnceWithAutomine) {
    EXPECT_EQ(result("evm_setAutomine", "[true]"), true);
    result("eth_sendRawTransaction", send({.nonce = 1}));
    EXPECT_EQ(result("eth_blockNumber"), "0x0") << "a lower nonce is missing";
    result("eth_sendRawTransaction", send({.nonce = 0}));
    EXPECT_EQ(result("eth_blockNumber"), "0x1");
    EXPECT_EQ(result("eth_getTransactionCount", R"(["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","latest"])"), "0x2");
}

}  // namespace
}  // namespace fencepost::devchain
