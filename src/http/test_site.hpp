// Test fixture: a server on a free port and a script of clients, on one thread.
#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/async/task_group.hpp"
#include "base/async/wakeup.hpp"
#include "http/routes/routes.hpp"
#include "http/server.hpp"
#include "http/test_client.hpp"
#include "system/system_clock.hpp"

namespace fencepost::http::test {

inline constexpr auto get_livez = "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n";
inline constexpr auto ok_body = R"({"status":"ok"})";

inline Task<Response> echo(Request request) {
    co_return Response{.content_type = "text/plain", .body = std::move(request.body)};
}

inline Task<Response> fail(Request /*request*/) {
    co_await asio::post(asio::use_awaitable);
    throw std::runtime_error("a secret");
}

inline std::string padding(std::size_t size) {
    std::string text;
    text.resize(size, 'x');
    return text;
}

// A server on a free port and everything that it needs, on one thread with its clients.
struct Site {
    explicit Site(ServerOptions options_in = {}) : options(std::move(options_in)) {
        options.listen.port = 0;
        options.on_fault = [this](std::string_view what) { faults.emplace_back(what); };
        router.add(routes::livez());
        router.add({Method::post, "/echo", echo});
        router.add({Method::get, "/fail", fail});
        router.add({Method::get, "/slow", [this](const Request&) { return wait_for_bell(this); }});
        server.emplace(context.get_executor(), clock, router, options);
        address = server->address();
    }

    static Task<Response> wait_for_bell(Site* site) {
        site->slow_begun.notify();
        co_await site->bell.wait();
        co_return Response{.content_type = "text/plain", .body = "at last"};
    }

    // Runs the server and a test script beside it; cancels the server when the script has ended.
    static Task<void> host(Site* site, Task<void> script) {
        site->serving.emplace(site->context.get_executor());
        site->serving->spawn(site->server->run());
        co_await std::move(script);
        site->serving->cancel();
        co_await site->serving->join();
    }

    ServerOptions options;
    SystemClock clock;
    Router router;
    asio::io_context context{1};  // goes before what its tasks use
    Wakeup bell{context.get_executor()};
    Wakeup slow_begun{context.get_executor()};
    std::vector<std::string> faults;
    std::vector<std::string> notes;  // what handlers of a test write down
    std::optional<Server> server;
    ListenAddress address;
    std::optional<TaskGroup> serving;
};

using Script = Task<void>(Site*);

inline void run_site(Site& site, Task<void> script) {
    bool ended = false;
    asio::co_spawn(site.context, Site::host(&site, std::move(script)), [&ended](const std::exception_ptr& error) {
        ended = true;
        if (error) std::rethrow_exception(error);
    });
    site.context.run_for(std::chrono::seconds(100));
    EXPECT_TRUE(ended) << "the test hangs";
    if (!ended) Teardown::begin(site.context);
}

inline void play(Script script, ServerOptions options = {}) {
    Site site(std::move(options));
    run_site(site, script(&site));
}

// One connection, one request, any response.
inline Task<Answer> ask(Site* site, std::string bytes, bool with_body = true) {
    TestClient client(site->context.get_executor());
    co_await client.connect(site->address);
    co_await client.send(std::move(bytes));
    co_return co_await client.receive(with_body);
}

// Returns when the server has noticed a closed connection and accepts another one.
inline Task<void> until_connection_accepted(Site* site) {
    while ((co_await ask(site, get_livez)).status() != 200)
        co_await site->clock.sleep_for(std::chrono::milliseconds(5));
}

inline Task<void> expect_problem(Site* site, std::string bytes, int status, std::string type) {
    const auto answer = co_await ask(site, bytes);
    EXPECT_EQ(answer.status(), status) << bytes.substr(0, 100);
    EXPECT_EQ(answer.field("Content-Type"), "application/problem+json");
    EXPECT_THAT(answer.body, testing::HasSubstr("\"type\":\"urn:fencepost:problem:" + type + "\""));
    EXPECT_THAT(answer.body, testing::HasSubstr("\"status\":" + std::to_string(status)));
}

}  // namespace fencepost::http::test
