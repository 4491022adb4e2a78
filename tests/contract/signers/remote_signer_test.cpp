// The remote signer over real HTTP: the sample in samples/remote-signer, and faulty servers.
#include "signers/remote_signer.hpp"

#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text/hex.hpp"
#include "codec/from_port.hpp"
#include "codec/sign.hpp"
#include "jsonrpc/http_json_rpc.hpp"
#include "sample_signer.hpp"
#include "signers/test_transactions.hpp"
#include "support/scripted_rpc_server.hpp"
#include "system/system_clock.hpp"

namespace fencepost::signers {
namespace {

using Kind = SignError::Kind;
using jsonrpc::HttpJsonRpc;
using test::AnswerMode;
using test::SampleSigner;
using test::ScriptedRpcServer;
using testing::HasSubstr;
using testing::Not;

struct RemoteSignerOverHttp : testing::Test {
    jsonrpc::HttpJsonRpcOptions at(const std::string& url, const std::string& token) {
        return {.url = *jsonrpc::Url::parse(url), .headers = {{"Authorization", "Bearer " + token}}};
    }

    asio::io_context context{1};
    SystemClock clock;
};

void expect_sample_signs(RemoteSigner& signer, asio::io_context& context) {
    const auto refreshed = run(context, signer.refresh());
    ASSERT_TRUE(refreshed) << refreshed.error().what;
    auto deployment = dynamic_transaction(test_address);
    deployment.to = std::nullopt;
    auto plain = legacy_transaction(test_address);
    plain.data = {};
    for (const auto& wanted :
         {dynamic_transaction(test_address), legacy_transaction(test_address), deployment, plain}) {
        ASSERT_TRUE(signer.can_sign_for(wanted.from));
        const auto made = run(context, signer.sign(wanted));
        ASSERT_TRUE(made) << made.error().what;
        // ethers also signs deterministically.
        EXPECT_EQ(made->raw, codec::sign(wanted, key_of(test_key)).raw);
    }
}

TEST_F(RemoteSignerOverHttp, SignsThroughSampleSigner) {
    const SampleSigner sample(test_key);
    HttpJsonRpc rpc(context.get_executor(), clock, at(sample.url(), sample.token()));
    RemoteSigner signer(rpc, {.time_limit = std::chrono::seconds(20)});
    expect_sample_signs(signer, context);
}

TEST_F(RemoteSignerOverHttp, SignsThroughSampleSignerOverTls) {
    const SampleSigner sample(test_key, SampleSigner::Transport::tls);
    auto options = at(sample.url(), sample.token());
    options.ca_file = sample.ca_file();
    HttpJsonRpc rpc(context.get_executor(), clock, options);
    RemoteSigner signer(rpc, {.time_limit = std::chrono::seconds(20)});
    expect_sample_signs(signer, context);

    options.ca_file.clear();  // now no authority vouches for it
    HttpJsonRpc distrustful(context.get_executor(), clock, options);
    RemoteSigner other(distrustful);
    EXPECT_EQ(run(context, other.refresh()).error().kind, Kind::unavailable);
}

TEST_F(RemoteSignerOverHttp, IsUnavailableWithWrongToken) {
    const SampleSigner sample(test_key);
    HttpJsonRpc rpc(context.get_executor(), clock, at(sample.url(), "guessed"));
    RemoteSigner signer(rpc);
    const auto refreshed = run(context, signer.refresh());
    ASSERT_FALSE(refreshed);
    EXPECT_EQ(refreshed.error().kind, Kind::unavailable);
    EXPECT_THAT(refreshed.error().what, HasSubstr("401"));
    EXPECT_THAT(refreshed.error().what, Not(HasSubstr("guessed")));
}

Task<void> expect_unavailable(ScriptedRpcServer* server, RemoteSigner* signer, test::Behaviour behaviour) {
    server->next(std::move(behaviour));
    const auto made = co_await signer->sign(dynamic_transaction(test_address));
    EXPECT_FALSE(made);
    if (!made) EXPECT_EQ(made.error().kind, Kind::unavailable) << made.error().what;
}

Task<bool> sign_among_failures(ScriptedRpcServer* server, RemoteSigner* signer) {
    EXPECT_TRUE(co_await signer->refresh());
    for (const auto mode :
         {AnswerMode::silence, AnswerMode::reset, AnswerMode::close, AnswerMode::half_answer, AnswerMode::html,
          AnswerMode::wrong_id, AnswerMode::rate_limited, AnswerMode::missing_last, AnswerMode::deep_json}) {
        test::Behaviour behaviour{.mode = mode};
        if (mode == AnswerMode::deep_json) behaviour.size = 1000;
        co_await expect_unavailable(server, signer, std::move(behaviour));
    }
    const auto made = co_await signer->sign(dynamic_transaction(test_address));
    EXPECT_TRUE(made);
    EXPECT_EQ(server->received().back().header("Authorization"), "Bearer let me in");
    co_await server->stop();
    co_return made.has_value();
}

TEST_F(RemoteSignerOverHttp, RecoversAfterTransportFailures) {
    ScriptedRpcServer server(context.get_executor(), clock);
    server.on_call([](std::string_view method, const auto&) -> test::CallResult {
        if (method == "eth_accounts") return boost::json::array{test_address.to_lower()};
        return boost::json::value(
            to_hex_prefixed(codec::sign(dynamic_transaction(test_address), key_of(test_key)).raw));
    });
    HttpJsonRpc rpc(context.get_executor(), clock, at(server.url(), "let me in"));
    RemoteSigner signer(rpc, {.time_limit = std::chrono::seconds(2)});
    EXPECT_TRUE(run(context, sign_among_failures(&server, &signer)));
}

}  // namespace
}  // namespace fencepost::signers
