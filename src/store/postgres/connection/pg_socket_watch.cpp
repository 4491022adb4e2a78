// Waits on a duplicate of libpq's socket.
#include "store/postgres/connection/pg_socket_watch.hpp"

#include <array>
#include <cstddef>
#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/system/system_error.hpp>

namespace fencepost::store::pg {
namespace {

using asio::experimental::make_parallel_group;
using asio::experimental::wait_for_one;
using boost::system::error_code;
using Wait = asio::posix::stream_descriptor::wait_type;

// The deadline is the last of the waits. The first wait to end gives the reason; all fail when the task was cancelled.
template <std::size_t N>
bool in_time(const std::array<std::size_t, N>& order, const std::array<error_code, N>& errors) {
    if (errors[order[0]] == asio::error::operation_aborted) {
        throw boost::system::system_error(asio::error::operation_aborted);
    }
    return order[0] != N - 1;
}

}  // namespace

SocketWatch::SocketWatch(const Executor& executor) : descriptor_(executor), deadline_(executor) {}

bool SocketWatch::follow(int descriptor) {
    error_code error;
    descriptor_.close(error);
    const int duplicate = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (duplicate < 0) return false;
    descriptor_.assign(duplicate, error);
    if (error) ::close(duplicate);
    return !error;
}

void SocketWatch::set_deadline(std::chrono::milliseconds from_now) { deadline_.expires_after(from_now); }

Task<bool> SocketWatch::until_readable() {
    const auto [order, read, late] =
        co_await make_parallel_group(descriptor_.async_wait(Wait::wait_read, asio::deferred),
                                     deadline_.async_wait(asio::deferred))
            .async_wait(wait_for_one(), asio::use_awaitable);
    co_return in_time<2>(order, {read, late});
}

Task<bool> SocketWatch::until_writable() {
    const auto [order, written, late] =
        co_await make_parallel_group(descriptor_.async_wait(Wait::wait_write, asio::deferred),
                                     deadline_.async_wait(asio::deferred))
            .async_wait(wait_for_one(), asio::use_awaitable);
    co_return in_time<2>(order, {written, late});
}

Task<bool> SocketWatch::until_either() {
    const auto [order, read, written, late] =
        co_await make_parallel_group(descriptor_.async_wait(Wait::wait_read, asio::deferred),
                                     descriptor_.async_wait(Wait::wait_write, asio::deferred),
                                     deadline_.async_wait(asio::deferred))
            .async_wait(wait_for_one(), asio::use_awaitable);
    co_return in_time<3>(order, {read, written, late});
}

}  // namespace fencepost::store::pg
