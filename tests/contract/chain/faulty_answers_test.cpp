// Faulty answers that real nodes do not give on demand: a send becomes `unknown`; a read fails if there is no other
// endpoint, and succeeds if there is one.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/async/task_group.hpp"
#include "base/crypto/keccak.hpp"
#include "base/text/hex.hpp"
#include "evm/evm_chain.hpp"
#include "jsonrpc/http_json_rpc.hpp"
#include "ports/log.hpp"
#include "support/scripted_rpc_server.hpp"
#include "system/system_clock.hpp"

namespace fencepost::contract {
namespace {

using namespace std::chrono_literals;
using test::AnswerMode;
using test::Behaviour;
using test::CallResult;
using test::ScriptedRpcServer;

class AlertLog final : public Log {
public:
    void write(Severity severity, std::string_view message, std::initializer_list<LogField> fields) override {
        if (severity != Severity::alert) return;
        text += message;
        for (const auto& field : fields)
            text += " " + field.value;
    }
    std::string text;
};

const Bytes raw{1, 2, 3};

CallResult answer_as_node(std::uint64_t chain_id, std::string_view method) {
    if (method == "eth_chainId") return boost::json::value(Uint256(chain_id).to_quantity());
    if (method == "eth_blockNumber") return "0x5";
    if (method == "eth_getBalance") return "0x7";
    if (method == "eth_sendRawTransaction") return boost::json::value(to_hex_prefixed(keccak256(raw)));
    if (method != "eth_getBlockByNumber") return err(jsonrpc::ErrorAnswer{-32601, "Method not found", {}});
    return boost::json::object{{"number", "0x0"},
                               {"hash", to_hex_prefixed(BlockHash{{1}}.view())},
                               {"parentHash", to_hex_prefixed(BlockHash{}.view())},
                               {"timestamp", "0x1"},
                               {"transactions", boost::json::array{}}};
}

class FaultyAnswers : public testing::TestWithParam<Behaviour> {
protected:
    FaultyAnswers() {
        for (auto* server : {&a_, &b_})
            server->on_call([](std::string_view method, const auto&) { return answer_as_node(1, method); });
    }

    void make(std::vector<ScriptedRpcServer*> servers) {
        evm::Connections connections;
        for (auto* server : servers) {
            connections.endpoints.push_back(
                {server == &a_ ? "a" : "b",
                 std::make_unique<jsonrpc::HttpJsonRpc>(
                     context_.get_executor(), clock_,
                     jsonrpc::HttpJsonRpcOptions{.url = jsonrpc::Url::parse(server->url()).value()})});
        }
        // Without a watch, so that every request is the test's own.
        pool_ = std::make_unique<evm::EndpointPool>(context_.get_executor(), clock_, log_, telemetry_,
                                                    evm::ChainPin{.chain_id = 1}, std::move(connections.endpoints),
                                                    evm::PoolOptions{.time_limit = 2s, .head_interval = 1h});
    }

    void run(Task<void> body) {
        std::exception_ptr error;
        asio::co_spawn(context_, in_background(std::move(body)), [&error](const std::exception_ptr& e) { error = e; });
        context_.run_for(60s);
        if (error) std::rethrow_exception(error);
        EXPECT_TRUE(ended_) << "something hangs";
        if (!ended_) Teardown::begin(context_);
    }

    Task<jsonrpc::Answer> read() {
        std::vector<jsonrpc::Request> batch{{"eth_getBalance", {}}, {"eth_getBalance", {}}};
        auto answers = co_await pool_->read(std::move(batch), {});
        co_return answers.at(1);
    }
    Task<SendReport> send() {
        const auto from = SubmitterId::evm(1, Address{});
        auto reports = co_await pool_->send({.from = from, .items = {{Nonce(0), raw}}});
        co_return reports.at(0);
    }

    Task<void> send_alone() {
        EXPECT_TRUE((co_await read()).has_value());
        a_.always(GetParam());
        const auto report = co_await send();
        EXPECT_EQ(report.answers.at(0).outcome, SendOutcome::unknown) << report.answers.at(0).message;
        EXPECT_EQ(report.answers.at(0).endpoint, "a");
    }
    Task<void> send_two() {
        EXPECT_TRUE((co_await read()).has_value());
        a_.always(GetParam());
        const auto report = co_await send();
        EXPECT_TRUE(std::ranges::any_of(report.answers, [](const auto& answer) {
            return answer.endpoint == "b" && answer.outcome == SendOutcome::accepted;
        }));
    }
    Task<void> read_alone() {
        EXPECT_TRUE((co_await read()).has_value());
        a_.always(GetParam());
        const auto answer = co_await read();
        EXPECT_TRUE(!answer && std::holds_alternative<jsonrpc::Failure>(answer.error()));
    }
    Task<void> read_two() {
        EXPECT_TRUE((co_await read()).has_value());
        a_.always(GetParam());
        for (int i = 0; i < 5; ++i)
            EXPECT_TRUE((co_await read()).has_value());
    }
    Task<void> other_chain() {
        EXPECT_TRUE((co_await read()).has_value());
        EXPECT_THAT(log_.text, testing::HasSubstr("refused a serves another chain: its id is 5, not 1"));
        EXPECT_EQ(a_.calls_of("eth_getBalance"), 0U);
        co_await send();
        EXPECT_EQ(a_.calls_of("eth_sendRawTransaction"), 0U);
    }

    SystemClock clock_;
    asio::io_context context_{1};
    ScriptedRpcServer a_{context_.get_executor(), clock_};
    ScriptedRpcServer b_{context_.get_executor(), clock_};
    AlertLog log_;
    NoTelemetry telemetry_;
    std::unique_ptr<evm::EndpointPool> pool_;

private:
    Task<void> in_background(Task<void> body) {
        TaskGroup group(context_.get_executor());
        group.spawn(pool_->run());
        co_await std::move(body);
        group.cancel();
        co_await group.join();
        co_await a_.stop();
        co_await b_.stop();
        ended_ = true;
    }
    bool ended_ = false;
};

TEST_P(FaultyAnswers, LeaveSendUnknown) {
    make({&a_});
    run(send_alone());
}
TEST_P(FaultyAnswers, DoNotBlockSendToOtherEndpoint) {
    make({&a_, &b_});
    run(send_two());
}
TEST_P(FaultyAnswers, FailReadWithoutOtherEndpoint) {
    make({&a_});
    run(read_alone());
}
TEST_P(FaultyAnswers, ReadFallsOverToOtherEndpoint) {
    make({&a_, &b_});
    run(read_two());
}

const std::vector<Behaviour> tricks{{.mode = AnswerMode::rate_limited, .text = "30"},
                                    {.mode = AnswerMode::http_status, .status = 503},
                                    {.mode = AnswerMode::half_answer},
                                    {.mode = AnswerMode::html},
                                    {.mode = AnswerMode::wrong_id},
                                    {.mode = AnswerMode::duplicate_ids},
                                    {.mode = AnswerMode::missing_last},
                                    {.mode = AnswerMode::huge_body},
                                    {.mode = AnswerMode::huge_length},
                                    {.mode = AnswerMode::deep_json, .size = 100'000},
                                    {.mode = AnswerMode::slow_drip, .pause = 200ms},
                                    {.mode = AnswerMode::close},
                                    {.mode = AnswerMode::reset},
                                    {.mode = AnswerMode::silence}};
INSTANTIATE_TEST_SUITE_P(Each, FaultyAnswers, testing::ValuesIn(tricks),
                         [](const auto& info) { return "mode" + std::to_string(static_cast<int>(info.param.mode)); });

class AnotherChain : public FaultyAnswers {};

TEST_P(AnotherChain, IsRefusedByEndpointName) {
    a_.on_call([](std::string_view method, const auto&) { return answer_as_node(5, method); });
    make({&a_, &b_});
    run(other_chain());
}
INSTANTIATE_TEST_SUITE_P(On, AnotherChain, testing::Values(Behaviour{}), [](const auto&) { return "scripted"; });

}  // namespace
}  // namespace fencepost::contract
