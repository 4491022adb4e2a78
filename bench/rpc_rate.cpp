#include "rpc_rate.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

#include "base/async/task_group.hpp"
#include "http/message/request_parser.hpp"
#include "jsonrpc/http_json_rpc.hpp"
#include "system/system_clock.hpp"

namespace fencepost::bench {
namespace {

using asio::ip::tcp;
using namespace std::chrono_literals;

constexpr std::size_t batch_size = 100;
constexpr int connections = 4;
constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

// The ids of a batch are consecutive, so the stub only reads the first one.
std::string answers_from(std::size_t first_id) {
    std::string body = "[";
    for (std::size_t id = first_id; id < first_id + batch_size; ++id) {
        body += fmt::format(R"({}{{"jsonrpc":"2.0","id":{},"result":"0x{:064x}"}})", id == first_id ? "" : ",", id, id);
    }
    return body + "]";
}

Task<void> serve(tcp::socket socket) {
    http::RequestParser parser({});
    std::array<char, 65536> buffer{};
    for (;;) {
        const auto stage = parser.advance();
        if (!stage) throw std::runtime_error("the stub got no request");
        if (*stage == http::RequestStage::complete) {
            const auto request = parser.take().request;
            constexpr std::string_view before = R"("id":)";
            const auto body = answers_from(std::stoul(request.body.substr(request.body.find(before) + before.size())));
            const auto response = fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{}", body.size(), body);
            co_await asio::async_write(socket, asio::buffer(response), as_result);
            continue;
        }
        const auto [error, size] = co_await socket.async_read_some(asio::buffer(buffer), as_result);
        if (error) co_return;
        parser.feed({buffer.data(), size});
    }
}

Task<void> accept(tcp::acceptor* acceptor, TaskGroup* sessions) {
    for (;;)
        sessions->spawn(serve(co_await acceptor->async_accept(asio::use_awaitable)));
}

Task<void> call(jsonrpc::JsonRpc* client, Clock* clock, Instant end, std::size_t* calls) {
    const jsonrpc::Request one{.method = "eth_sendRawTransaction", .params = {"0x" + std::string(220, 'a')}};
    while (clock->monotonic() < end) {
        const auto answers = co_await client->call(std::vector(batch_size, one), 10s);
        for (const auto& answer : answers) {
            if (!answer) throw std::runtime_error("the stub did not answer a call");
        }
        *calls += answers.size();
    }
}

Task<void> measure(tcp::acceptor* acceptor, Clock* clock, Duration how_long, double* rate) {
    const auto executor = co_await asio::this_coro::executor;
    TaskGroup server(executor);
    server.spawn(accept(acceptor, &server));
    const auto url = fmt::format("http://127.0.0.1:{}", acceptor->local_endpoint().port());
    jsonrpc::HttpJsonRpc client(executor, *clock, {.url = *jsonrpc::Url::parse(url)});
    TaskGroup callers(executor);
    std::size_t calls = 0;
    const auto begin = clock->monotonic();
    for (int i = 0; i < connections; ++i)
        callers.spawn(call(&client, clock, begin + how_long, &calls));
    co_await callers.join();
    *rate = static_cast<double>(calls) / std::chrono::duration<double>(clock->monotonic() - begin).count();
    server.cancel();
    co_await server.join();
}

}  // namespace

double measure_rpc_calls_per_second(Duration how_long) {
    SystemClock clock;
    asio::io_context context(1);
    tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
    double rate = 0;
    asio::co_spawn(context, measure(&acceptor, &clock, how_long, &rate), [](const std::exception_ptr& error) {
        if (error) std::rethrow_exception(error);
    });
    context.run();
    return rate;
}

}  // namespace fencepost::bench
