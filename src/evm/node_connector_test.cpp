// A connector to a node that holds keys, driven by scripted answers.
#include "evm/node_connector.hpp"

#include <deque>

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text/hex.hpp"
#include "evm/test_rpc.hpp"
#include "evm/test_run.hpp"

namespace fencepost::evm {
namespace {

using jsonrpc::Answer;
using test::run;

const auto alice = SubmitterId::parse("eip155:5:0x00000000000000000000000000000000000000aa").value();
const std::string sent_hash_text = "0x" + std::string(64, '7');
const TxHash sent_hash = *TxHash::from(*from_hex(sent_hash_text));

/// Returns scripted answers, one per call, and records the requests.
class ScriptedRpc final : public jsonrpc::JsonRpc {
public:
    Task<std::vector<Answer>> call(std::vector<jsonrpc::Request> batch, Duration /*time_limit*/) override {
        asked.insert(asked.end(), batch.begin(), batch.end());
        std::vector<Answer> result{std::move(answers.at(0))};
        answers.pop_front();
        co_return result;
    }
    std::deque<Answer> answers;
    std::vector<jsonrpc::Request> asked;
};

class OneHash final : public Signer {
public:
    [[nodiscard]] bool can_sign_for(const SubmitterId& /*submitter*/) const override { return true; }
    [[nodiscard]] Task<Result<SignedTransaction, SignError>> sign(UnsignedTransaction /*transaction*/) override {
        co_return answer;
    }
    Result<SignedTransaction, SignError> answer = SignedTransaction{sent_hash, {}};
};

UnsignedTransaction transfer(Fees fees = DynamicFee{Wei(300), Wei(20)}) {
    return {.from = alice,
            .nonce = Nonce(7),
            .to = "0x00000000000000000000000000000000000000bb",
            .value = Wei(16),
            .data = {0xca, 0xfe},
            .gas_limit = Gas(21'100),
            .fees = fees};
}

boost::json::object as_shown() {
    return boost::json::parse(R"({
        "hash": "0x77", "blockNumber": "0x10", "type": "0x2", "chainId": "0x5", "gasPrice": "0x80",
        "from": "0x00000000000000000000000000000000000000AA", "to": "0x00000000000000000000000000000000000000BB",
        "nonce": "0x7", "value": "0x10", "input": "0xcafe", "gas": "0x526c",
        "maxFeePerGas": "0x12c", "maxPriorityFeePerGas": "0x14"})")
        .as_object();
}

class NodeConnectorTest : public ::testing::Test {
protected:
    ConnectorAnswer send(Answer answer) {
        rpc_.answers.push_back(std::move(answer));
        return run(connector_.send(transfer()));
    }
    RpcResult<bool> is_same(Answer answer, const UnsignedTransaction& wanted = transfer()) {
        rpc_.answers.push_back(std::move(answer));
        return run(connector_.is_same(sent_hash, wanted));
    }

    ScriptedRpc rpc_;
    OneHash signer_;
    NodeConnector connector_{rpc_, &signer_, {.name = "node", .submitters = {alice}}};
};

TEST_F(NodeConnectorTest, SetsEveryFieldSoThatNodeFillsNone) {
    const auto answer = send(Answer(boost::json::value(sent_hash_text)));
    EXPECT_EQ(answer.outcome, SendOutcome::accepted);
    EXPECT_EQ(answer.hash, sent_hash);
    ASSERT_EQ(rpc_.asked.size(), 1U);
    EXPECT_EQ(rpc_.asked[0].method, "eth_sendTransaction");
    EXPECT_EQ(rpc_.asked[0].params.at(0), boost::json::parse(R"({
        "from": "0x00000000000000000000000000000000000000aa", "to": "0x00000000000000000000000000000000000000bb",
        "nonce": "0x7", "value": "0x10", "data": "0xcafe", "gas": "0x526c", "chainId": "0x5",
        "maxFeePerGas": "0x12c", "maxPriorityFeePerGas": "0x14"})"));
}

TEST_F(NodeConnectorTest, UncertainAnswersAreUnknown) {
    for (auto& answer : {Answer(boost::json::value(nullptr)), Answer(boost::json::value("0x")),
                         Answer(err(test::no_answer())), Answer(err(test::node_error(-32000, "something new"))),
                         Answer(err(jsonrpc::Error(jsonrpc::ErrorAnswer{-32000, "txpool is full", {}, 502})))}) {
        const auto said = send(answer);
        EXPECT_EQ(said.outcome, SendOutcome::unknown);
        EXPECT_FALSE(said.hash);
        EXPECT_FALSE(said.message.empty());
    }
}

TEST_F(NodeConnectorTest, ClassifiesRefusals) {
    EXPECT_EQ(send(err(test::node_error(-32000, "already known"))).outcome, SendOutcome::already_known);
    EXPECT_EQ(send(err(test::node_error(-32000, "nonce too low"))).outcome, SendOutcome::nonce_too_low);
    EXPECT_EQ(send(err(test::node_error(-32000, "insufficient funds for gas * price + value"))).outcome,
              SendOutcome::insufficient_funds);
}

TEST_F(NodeConnectorTest, ComparesTransactionOnChainFieldByField) {
    EXPECT_EQ(is_same(as_shown()), true);
    for (const auto* field : {"from", "to", "nonce", "value", "input", "gas", "maxFeePerGas", "maxPriorityFeePerGas"}) {
        auto other = as_shown();
        auto& text = other[field].as_string();
        text.back() = text.back() == '1' ? '2' : '1';
        EXPECT_EQ(is_same(other), false) << field;
    }
    auto deployment = transfer();
    deployment.to.reset();
    EXPECT_EQ(is_same(as_shown(), deployment), false);
    EXPECT_EQ(is_same(as_shown(), transfer(LegacyFee{Wei(128)})), false);
    auto legacy = as_shown();
    legacy.erase("maxFeePerGas");
    legacy.erase("maxPriorityFeePerGas");
    EXPECT_EQ(is_same(legacy, transfer(LegacyFee{Wei(128)})), true);
}

TEST_F(NodeConnectorTest, NodeWithoutTransactionProvesNothing) {
    EXPECT_FALSE(is_same(boost::json::value(nullptr)).has_value());
    EXPECT_FALSE(is_same(err(test::no_answer())).has_value());
}

// Requirement CF04.
TEST_F(NodeConnectorTest, DerivesHashesWithSameKeySignerWithoutLookupByNonce) {
    EXPECT_TRUE(connector_.abilities().hash_recomputation);
    EXPECT_FALSE(connector_.abilities().query_by_nonce);
    EXPECT_EQ(run(connector_.hash_of(transfer())), sent_hash);
    signer_.answer = err(SignError{SignError::Kind::unavailable, "away"});
    EXPECT_FALSE(run(connector_.hash_of(transfer())).has_value());
    EXPECT_FALSE(run(connector_.sent_at(alice, Nonce(7))).has_value());
    NodeConnector alone(rpc_, nullptr, {});
    EXPECT_FALSE(alone.abilities().hash_recomputation);
    EXPECT_FALSE(run(alone.hash_of(transfer())).has_value());
    EXPECT_TRUE(connector_.sends_for(alice));
    EXPECT_FALSE(alone.sends_for(alice));
}

}  // namespace
}  // namespace fencepost::evm
