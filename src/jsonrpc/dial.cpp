// Resolves a name and connects to its addresses in turn.
#include "jsonrpc/dial.hpp"

#include <memory>
#include <utility>
#include <vector>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <fmt/format.h>

#include "base/async/as_result.hpp"
#include "base/async/wakeup.hpp"

namespace fencepost::jsonrpc {
namespace {

using asio::ip::tcp;
using boost::system::error_code;
using namespace asio::experimental::awaitable_operators;

Failure unreachable(std::string what) { return {.kind = Failure::Kind::unreachable, .what = std::move(what)}; }

// Asio resolves names on a thread of its own and cannot interrupt it. So tasks never wait for that thread itself, only
// for this object, which they may abandon.
struct Lookup {
    explicit Lookup(const Executor& executor) : resolver(executor), done(executor) {}

    tcp::resolver resolver;
    Wakeup done;
    error_code error{};
    std::vector<tcp::endpoint> found{};
};

struct CancelAtEnd {
    std::shared_ptr<Lookup> lookup;
    ~CancelAtEnd() { lookup->resolver.cancel(); }
};

Task<Result<std::vector<tcp::endpoint>, Failure>> addresses_of(Executor executor, std::string host,
                                                               std::uint16_t port) {
    error_code not_numeric;
    const auto address = asio::ip::make_address(host, not_numeric);
    if (!not_numeric) co_return std::vector{tcp::endpoint(address, port)};

    const auto lookup = std::make_shared<Lookup>(executor);
    const CancelAtEnd cancel_at_end{lookup};
    lookup->resolver.async_resolve(host, std::to_string(port), tcp::resolver::numeric_service,
                                   [lookup](const error_code& error, const tcp::resolver::results_type& results) {
                                       lookup->error = error;
                                       lookup->found.assign(results.begin(), results.end());
                                       lookup->done.notify();
                                   });
    co_await lookup->done.wait();
    if (lookup->error) {
        co_return err(unreachable(fmt::format("host name not found: {}", lookup->error.message())));
    }
    co_return lookup->found;
}

Task<error_code> connect(Socket* socket, tcp::endpoint endpoint) {
    const auto [error] = co_await socket->async_connect(endpoint, as_result);
    co_return error;
}

}  // namespace

Task<Result<Socket, Failure>> dial(Executor executor, Clock* clock, std::string host, std::uint16_t port,
                                   Instant deadline) {
    const auto endpoints = co_await addresses_of(executor, std::move(host), port);
    if (!endpoints) co_return err(endpoints.error());
    error_code last = asio::error::host_not_found;
    for (auto left = endpoints->size(); left > 0; --left) {
        Socket socket(executor);
        const auto now = clock->monotonic();
        const auto share = (deadline - now) / static_cast<std::int64_t>(left);
        const auto ended =
            co_await (connect(&socket, (*endpoints)[endpoints->size() - left]) || clock->sleep_until(now + share));
        last = ended.index() == 0 ? std::get<0>(ended) : error_code(asio::error::timed_out);
        if (last) continue;
        error_code ignored;  // without it the connection is only slower
        socket.set_option(tcp::no_delay(true), ignored);
        co_return socket;
    }
    co_return err(unreachable(fmt::format("no connection: {}", last.message())));
}

}  // namespace fencepost::jsonrpc
