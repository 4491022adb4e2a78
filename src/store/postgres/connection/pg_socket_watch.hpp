// Waits on libpq's socket without blocking a thread, bounded by a deadline: a frozen or unreachable server sends
// neither an answer nor an error.
#pragma once

#include <chrono>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/async/task.hpp"

namespace fencepost::store::pg {

/// Watches a duplicate of the descriptor: libpq closes its own at any time (lost connection, next address while
/// connecting), and the number may soon belong to another socket.
///
/// Waits return false at the deadline, and throw when the task is cancelled.
class SocketWatch {
public:
    explicit SocketWatch(const Executor& executor);

    /// Watches this socket from now on. False if that is not possible.
    [[nodiscard]] bool follow(int descriptor);
    void set_deadline(std::chrono::milliseconds from_now);

    [[nodiscard]] Task<bool> until_readable();
    [[nodiscard]] Task<bool> until_writable();
    [[nodiscard]] Task<bool> until_either();

private:
    asio::posix::stream_descriptor descriptor_;
    asio::steady_timer deadline_;
};

}  // namespace fencepost::store::pg
