// A scripted server and its client on one thread, and the scripts that tests run on them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/async/task_group.hpp"
#include "jsonrpc/http_json_rpc.hpp"
#include "support/scripted_rpc_server.hpp"
#include "system/system_clock.hpp"

namespace fencepost::test {

using namespace std::chrono_literals;
using jsonrpc::Answer;
using jsonrpc::ErrorAnswer;
using jsonrpc::Failure;
using jsonrpc::HttpJsonRpc;
using jsonrpc::HttpJsonRpcOptions;
using jsonrpc::Url;
using Kind = jsonrpc::Failure::Kind;

/// Longer than any test waits for an answer that comes; answers that do not come have a shorter limit.
inline constexpr Duration enough = 30s;
/// Limit for an answer that never comes to a request that must arrive.
inline constexpr Duration in_vain = 1s;

struct RpcSite {
    explicit RpcSite(HttpJsonRpcOptions options = {}, ScriptedRpcServer::Options server_options = {})
        : server(context.get_executor(), clock, std::move(server_options)) {
        options.url = *Url::parse(server.url() + options.url.target);
        client.emplace(context.get_executor(), clock, std::move(options));
    }

    SystemClock clock;
    asio::io_context context{1};
    ScriptedRpcServer server;
    std::optional<HttpJsonRpc> client;

    /// One call and its answer.
    static Task<Answer> ask(RpcSite* site, Duration time_limit = enough) {
        std::vector<jsonrpc::Request> one{{"eth_chainId", {}}};
        auto answers = co_await site->client->call(std::move(one), time_limit);
        EXPECT_EQ(answers.size(), 1U);
        co_return std::move(answers.front());
    }

    static Task<void> host(RpcSite* site, Task<void> script) {
        co_await std::move(script);
        co_await site->server.stop();
    }
};

inline void run(asio::io_context& context, Task<void> whole) {
    bool ended = false;
    asio::co_spawn(context, std::move(whole), [&ended](const std::exception_ptr& error) {
        ended = true;
        if (error) std::rethrow_exception(error);
    });
    context.run_for(100s);
    EXPECT_TRUE(ended) << "the test hangs";
    if (!ended) Teardown::begin(context);
}

inline void play(Task<void> (*script)(RpcSite*), HttpJsonRpcOptions options = {},
                 ScriptedRpcServer::Options server_options = {}) {
    RpcSite site(std::move(options), std::move(server_options));
    run(site.context, RpcSite::host(&site, script(&site)));
}

inline Task<void> call_once(RpcSite* site) { EXPECT_TRUE((co_await RpcSite::ask(site)).has_value()); }

/// The failure of an answer; a failure of kind overloaded that says so when there is none.
inline Failure failure_of(const Answer& answer) {
    if (answer) return {.kind = Kind::overloaded, .what = "not a failure but a result"};
    const auto* const failure = std::get_if<Failure>(&answer.error());
    return failure != nullptr ? *failure : Failure{.kind = Kind::overloaded, .what = "not a failure but an error"};
}

inline std::optional<ErrorAnswer> error_of(const Answer& answer) {
    if (answer || !std::holds_alternative<ErrorAnswer>(answer.error())) return std::nullopt;
    return std::get<ErrorAnswer>(answer.error());
}

}  // namespace fencepost::test
