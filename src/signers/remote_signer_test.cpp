// Requests to a remote signer and its accepted and rejected answers.
#include "signers/remote_signer.hpp"

#include <deque>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text/hex.hpp"
#include "codec/from_port.hpp"
#include "codec/sign.hpp"
#include "signers/test_transactions.hpp"

namespace fencepost::signers {
namespace {

namespace json = boost::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Returns scripted answers, one per call, and records the requests.
class ScriptedRpc final : public jsonrpc::JsonRpc {
public:
    Task<std::vector<jsonrpc::Answer>> call(std::vector<jsonrpc::Request> batch, Duration time_limit) override {
        asked.insert(asked.end(), batch.begin(), batch.end());
        limits.push_back(time_limit);
        std::vector<jsonrpc::Answer> result;
        for (std::size_t i = 0; i < batch.size(); ++i) {
            result.push_back(std::move(answers.at(0)));
            answers.pop_front();
        }
        co_return result;
    }

    std::deque<jsonrpc::Answer> answers;
    std::vector<jsonrpc::Request> asked;
    std::vector<Duration> limits;
};

struct RemoteSignerTest : testing::Test {
    RemoteSignerTest() {
        rpc.answers.emplace_back(json::array{test_address.to_checksum()});
        EXPECT_TRUE(run(signer.refresh()));
        rpc.asked.clear();
    }

    Result<SignedTransaction, SignError> answer_to(const UnsignedTransaction& wanted, jsonrpc::Answer answer) {
        rpc.answers.push_back(std::move(answer));
        return run(signer.sign(wanted));
    }
    SignError error_to(const UnsignedTransaction& wanted, jsonrpc::Answer answer) {
        auto made = answer_to(wanted, std::move(answer));
        if (made) throw std::runtime_error("it was taken");
        return made.error();
    }

    ScriptedRpc rpc;
    RemoteSigner signer{rpc, {.time_limit = std::chrono::seconds(2)}};
};

json::value signed_by(std::string_view key, const UnsignedTransaction& transaction) {
    return json::value(to_hex_prefixed(codec::sign(codec::to_transaction(transaction), key_of(key)).raw));
}

TEST_F(RemoteSignerTest, SendsRequestAsSpecified) {
    const auto wanted = dynamic_transaction(test_address);
    ASSERT_TRUE(answer_to(wanted, signed_by(test_key, wanted)));
    ASSERT_EQ(rpc.asked.size(), 1);
    EXPECT_EQ(rpc.asked[0].method, "eth_signTransaction");
    EXPECT_EQ(rpc.limits.back(), std::chrono::seconds(2));
    const auto expected = json::parse(R"([{"from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
        "to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", "gas": "0x526c", "value": "0xde0b6b3a7640000",
        "data": "0xcafe", "nonce": "0x7", "chainId": "0x7a69", "maxFeePerGas": "0x6fc23ac00",
        "maxPriorityFeePerGas": "0x3b9aca00"}])");
    EXPECT_EQ(json::value(rpc.asked[0].params), expected) << json::serialize(rpc.asked[0].params);
}

TEST_F(RemoteSignerTest, RequestsLegacyPriceAndDeployment) {
    auto wanted = legacy_transaction(test_address);
    wanted.to = std::nullopt;
    ASSERT_TRUE(answer_to(wanted, signed_by(test_key, wanted)));
    const auto& call = rpc.asked[0].params[0].as_object();
    EXPECT_EQ(call.at("gasPrice"), "0x4a817c800");
    EXPECT_FALSE(call.contains("maxFeePerGas"));
    EXPECT_FALSE(call.contains("to"));
}

TEST_F(RemoteSignerTest, AcceptsWeb3SignerAnswer) {
    for (const auto& wanted : {dynamic_transaction(test_address), legacy_transaction(test_address)}) {
        const auto made = answer_to(wanted, signed_by(test_key, wanted));
        ASSERT_TRUE(made) << made.error().what;
        EXPECT_EQ(made->raw, codec::sign(wanted, key_of(test_key)).raw);
        EXPECT_EQ(made->hash, codec::hash_of(made->raw));
    }
}

TEST_F(RemoteSignerTest, AcceptsClefAnswer) {
    const auto wanted = dynamic_transaction(test_address);
    const auto made = answer_to(wanted, json::object{{"raw", signed_by(test_key, wanted)}, {"tx", json::object{}}});
    ASSERT_TRUE(made) << made.error().what;
    EXPECT_EQ(made->raw, codec::sign(wanted, key_of(test_key)).raw);
}

TEST_F(RemoteSignerTest, RejectsTransactionWithAnyOtherField) {
    const auto wanted = dynamic_transaction(test_address);
    std::vector<UnsignedTransaction> wrong(9, wanted);
    wrong[0].nonce = Nonce(8);
    wrong[1].to = test_address.to_lower();
    wrong[2].to = std::nullopt;
    wrong[3].value = Wei(2);
    wrong[4].data = {0xca};
    wrong[5].gas_limit = Gas(21'101);
    wrong[6].fees = DynamicFee{.max_fee = Wei(30'000'000'001), .max_priority_fee = Wei(1'000'000'000)};
    wrong[7].from = SubmitterId::evm(1, test_address);
    wrong[8].fees = LegacyFee{Wei(30'000'000'000)};
    for (const auto& transaction : wrong) {
        const auto error = error_to(wanted, signed_by(test_key, transaction));
        EXPECT_EQ(error.kind, SignError::Kind::mismatch);
        EXPECT_THAT(error.what, HasSubstr("signed another transaction than requested: "));
    }
}

TEST_F(RemoteSignerTest, RejectsSignatureOfAnotherKey) {
    const auto wanted = dynamic_transaction(test_address);
    const auto error = error_to(wanted, signed_by(other_test_key, wanted));
    EXPECT_EQ(error.kind, SignError::Kind::mismatch);
    EXPECT_THAT(error.what, HasSubstr(other_test_address.to_checksum()));
}

TEST_F(RemoteSignerTest, RejectsNonTransactionWithoutQuotingIt) {
    const json::value garbage[] = {nullptr, true, 7,          json::array{}, json::object{}, json::object{{"raw", 1}},
                                   "",      "0x", "0xsecret", "secret",      "0x02c0",       "0x5ec2e7"};
    for (const auto& answer : garbage) {
        const auto error = error_to(dynamic_transaction(test_address), answer);
        EXPECT_EQ(error.kind, SignError::Kind::mismatch) << answer;
        EXPECT_THAT(error.what, AllOf(HasSubstr("remote signer"), Not(HasSubstr("secret")), Not(HasSubstr("5ec2e7"))));
    }
}

TEST_F(RemoteSignerTest, DistinguishesRefusalFromSilence) {
    const auto wanted = dynamic_transaction(test_address);
    const auto refused = error_to(wanted, err(jsonrpc::Error(jsonrpc::ErrorAnswer{-32000, "Request \x1b denied", {}})));
    EXPECT_EQ(refused.kind, SignError::Kind::refused);
    EXPECT_EQ(refused.what, "the remote signer refused: \"Request � denied\" (-32000)");
    const auto silent = error_to(
        wanted, err(jsonrpc::Error(jsonrpc::Failure{jsonrpc::Failure::Kind::timed_out, "no answer within 2 s", {}})));
    EXPECT_EQ(silent.kind, SignError::Kind::unavailable);
    EXPECT_EQ(silent.what, "the remote signer does not answer: no answer within 2 s (timed_out)");
}

TEST_F(RemoteSignerTest, SignsOnlyForReportedAccounts) {
    EXPECT_TRUE(signer.can_sign_for(SubmitterId::evm(1, test_address)));
    EXPECT_FALSE(signer.can_sign_for(SubmitterId::evm(1, other_test_address)));
    EXPECT_EQ(run(signer.sign(dynamic_transaction(other_test_address))).error().kind, SignError::Kind::no_key);
    EXPECT_TRUE(rpc.asked.empty());
    rpc.answers.emplace_back(json::array{other_test_address.to_lower()});
    ASSERT_TRUE(run(signer.refresh()));
    EXPECT_FALSE(signer.can_sign_for(SubmitterId::evm(1, test_address)));
    EXPECT_TRUE(signer.can_sign_for(SubmitterId::evm(1, other_test_address)));
}

TEST_F(RemoteSignerTest, KeepsAccountsWhenRefreshFails) {
    const jsonrpc::Answer failures[] = {
        json::value("0x"), json::value(json::array{1}), json::value(json::array{"0x12"}),
        err(jsonrpc::Error(jsonrpc::Failure{jsonrpc::Failure::Kind::unreachable, "connection refused", {}}))};
    for (const auto& failure : failures) {
        rpc.answers.push_back(failure);
        EXPECT_FALSE(run(signer.refresh()));
        EXPECT_TRUE(signer.can_sign_for(SubmitterId::evm(1, test_address)));
    }
}

TEST_F(RemoteSignerTest, RefusesInvalidDestination) {
    auto wanted = dynamic_transaction(test_address);
    wanted.to = "vitalik.eth";
    EXPECT_EQ(run(signer.sign(wanted)).error().kind, SignError::Kind::refused);
    EXPECT_TRUE(rpc.asked.empty());
}

}  // namespace
}  // namespace fencepost::signers
