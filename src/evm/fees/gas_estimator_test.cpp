// Gas estimates, and the reason of a failing call in every client's format.
#include "evm/fees/gas_estimator.hpp"

#include <gtest/gtest.h>

#include "evm/errors/call_failure.hpp"
#include "evm/json_values.hpp"
#include "evm/test_rpc.hpp"
#include "evm/test_run.hpp"

namespace fencepost::evm {
namespace {

using test::node_error;
using test::TestRpc;

// Error("no")
const std::string no_data =
    "0x08c379a0" + std::string(62, '0') + "20" + std::string(62, '0') + "02" + "6e6f" + std::string(60, '0');

Call a_call() {
    return {
        SubmitterId::parse("eip155:1:0x" + std::string(40, 'a')).value(), "0x" + std::string(40, 'b'), Wei(5), {1, 2}};
}

struct EstimatingNode {
    Answer estimate;
    Answer block = Json(boost::json::object{{"gasLimit", "0x1c9c380"}});

    Answer operator()(const Request& request) const { return request.method == "eth_estimateGas" ? estimate : block; }
};

RpcResult<GasEstimate> estimate(const EstimatingNode& node, std::uint64_t permille = 1200) {
    TestRpc rpc(node);
    GasEstimator estimator(rpc, {permille});
    return test::run(estimator.estimate(a_call(), At::pending));
}

Gas gas_of(const RpcResult<GasEstimate>& estimate) { return std::get<Gas>(estimate.value()); }

TEST(GasEstimator, AddsMarginUpToBlockGasLimit) {
    EXPECT_EQ(gas_of(estimate({Json("0x5208")})), Gas(25'200));
    EXPECT_EQ(gas_of(estimate({Json("0x5209")}, 1000)), Gas(21'001));
    EXPECT_EQ(gas_of(estimate({Json("0x1c9c37f")})), Gas(30'000'000));
    EXPECT_EQ(gas_of(estimate({Json("0x1c9c381")})), Gas(30'000'001)) << "never below the estimate";
    EXPECT_EQ(gas_of(estimate({Json("0x5208"), err(test::no_answer())})), Gas(25'200)) << "unknown block gas limit";
    EXPECT_EQ(gas_of(estimate({Json("0xffffffffffffffff"), Json{}})), Gas(~0ULL));
}

TEST(GasEstimator, SendsCallAndBlockTag) {
    TestRpc rpc(EstimatingNode{Json("0x1")});
    GasEstimator estimator(rpc, {});
    EXPECT_TRUE(test::run(estimator.estimate(a_call(), At::pending)));
    const auto& request = rpc.asked.at(0).batch.at(0);
    EXPECT_EQ(request.params.at(1), Json("pending"));
    EXPECT_EQ(request.params.at(0), Json(boost::json::object{{"from", "0x" + std::string(40, 'a')},
                                                             {"to", "0x" + std::string(40, 'b')},
                                                             {"value", "0x5"},
                                                             {"data", "0x0102"}}));
}

TEST(GasEstimator, ErrorsNotAboutTheCallAreNotCertain) {
    EXPECT_EQ(estimate({err(test::no_answer())}).error().kind, RpcError::Kind::unreachable);
    EXPECT_EQ(estimate({err(node_error(-32000, "header not found"))}).error().kind, RpcError::Kind::refused);
    EXPECT_EQ(estimate({err(node_error(-32603, "Internal error"))}).error().kind, RpcError::Kind::refused);
    EXPECT_EQ(estimate({err(test::no_method())}).error().kind, RpcError::Kind::unsupported);
    EXPECT_EQ(estimate({err(node_error(-32005, "limit exceeded"))}).error().kind, RpcError::Kind::rate_limited);
    EXPECT_EQ(estimate({Json(5)}).error().kind, RpcError::Kind::malformed);
    EXPECT_EQ(estimate({Json{}}).error().kind, RpcError::Kind::malformed);
}

TEST(GasEstimator, ReturnsRevertWithReason) {
    const auto result = estimate({err(node_error(3, "execution reverted: no", Json(no_data)))});
    EXPECT_EQ(std::get<Reverted>(result.value()).reason, "no");
}

std::string reason_of_refusal(std::int64_t code, std::string message, Json data = {}) {
    const auto failure = read_call_failure({code, std::move(message), std::move(data)});
    const auto* reverted = failure ? std::get_if<Reverted>(&*failure) : nullptr;
    return reverted == nullptr ? "(not reverted)" : reverted->reason;
}

TEST(CallFailure, FindsReasonInEveryClientFormat) {
    using boost::json::object;
    EXPECT_EQ(reason_of_refusal(3, "execution reverted: no", Json(no_data)), "no") << "geth";
    EXPECT_EQ(reason_of_refusal(3, "execution reverted", Json(no_data)), "no") << "anvil";
    EXPECT_EQ(reason_of_refusal(-32015, "VM execution error.", Json("Reverted " + no_data)), "no") << "Nethermind";
    EXPECT_EQ(
        reason_of_refusal(-32603, "Error: VM Exception while processing transaction: reverted with reason string 'no'",
                          object{{"message", "Error: …"}, {"data", no_data}}),
        "no")
        << "hardhat";
    EXPECT_EQ(
        reason_of_refusal(-32603, "Error: VM Exception while processing transaction: reverted with reason string 'no'"),
        "no");
    EXPECT_EQ(
        reason_of_refusal(-32000, "VM Exception while processing transaction: revert",
                          object{{"0x" + std::string(64, '1'), object{{"error", "revert"}, {"return", no_data}}}}),
        "no")
        << "ganache";
    EXPECT_EQ(reason_of_refusal(-32000, "execution reverted",
                                object{{"originalError", object{{"code", 3}, {"data", no_data}}}}),
              "no")
        << "wrapped by a provider";
    EXPECT_EQ(reason_of_refusal(-32000, "execution reverted: insufficient funds in pool"), "insufficient funds in pool")
        << "the contract's message is not the node's";
}

TEST(CallFailure, ShowsCustomErrorByNameOrHex) {
    EXPECT_EQ(reason_of_refusal(3, "execution reverted", Json("0x12345678")), "0x12345678");
    EXPECT_EQ(
        reason_of_refusal(-32603, "VM Exception while processing transaction: reverted with custom error 'Nope(1)'",
                          Json("0x12345678")),
        "Nope(1)");
    EXPECT_EQ(reason_of_refusal(3, "execution reverted", Json("0x")), "reverted without a reason");
    EXPECT_EQ(reason_of_refusal(3, "execution reverted"), "reverted without a reason");
    EXPECT_EQ(reason_of_refusal(3, "execution reverted", Json("0x4e487b71" + std::string(62, '0') + "11")),
              "arithmetic overflow or underflow (panic 0x11)");
}

TEST(CallFailure, SurvivesHostileData) {
    Json deep = Json(no_data);
    for (int i = 0; i < 100; ++i)
        deep = boost::json::object{{"data", deep}};
    EXPECT_EQ(reason_of_refusal(3, "execution reverted", deep), "reverted without a reason");
    EXPECT_EQ(reason_of_refusal(3, "execution reverted", Json(boost::json::array{1, 2})), "reverted without a reason");
    EXPECT_LT(reason_of_refusal(3, "execution reverted: " + std::string(100'000, 'x')).size(), 600U);
    EXPECT_EQ(reason_of_refusal(3, "execution reverted: a\x1b[2Jb").find('\x1b'), std::string::npos);
}

TEST(CallFailure, RecognisesFailuresOtherThanReverts) {
    for (const auto* message : {"gas required exceeds allowance (30000000)", "invalid opcode: INVALID", "out of gas",
                                "EVM error InvalidFEOpcode", "stack underflow (0 <=> 1)"})
        EXPECT_EQ(reason_of_refusal(-32000, message), message);
}

TEST(CallFailure, DistinguishesUnaffordableCall) {
    for (const auto* message : {"insufficient funds for gas * price + value: address 0x… have 0 want 1",
                                "insufficient funds for transfer", "Upfront cost exceeds account balance",
                                "Sender doesn't have enough funds to send tx. The max upfront cost is: 1",
                                "gas required exceeds allowance (0)"}) {
        const auto failure = read_call_failure({-32000, message, {}});
        ASSERT_TRUE(failure) << message;
        EXPECT_TRUE(std::holds_alternative<Unaffordable>(*failure)) << message;
    }
}

TEST(CallFailure, IgnoresUnrelatedErrors) {
    for (const auto* message : {"", "Internal error", "header not found", "missing trie node", "nonce too low", "busy"})
        EXPECT_FALSE(read_call_failure({-32000, message, {}})) << message;
}

}  // namespace
}  // namespace fencepost::evm
