// Waiting on libpq's socket without blocking a thread, and never longer than a deadline: a server that is frozen or cut
// off answers nothing and sends no error either.
#pragma once

#include <chrono>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/async/task.hpp"

namespace fencepost::store::pg {

/// Watches a duplicate of the descriptor: libpq closes its own when it pleases (a lost connection, the next address
/// while connecting), and the number of a closed descriptor is soon another socket's.
///
/// The waits return false when the deadline has passed, and throw when the task is cancelled.
class SocketWatch {
public:
    explicit SocketWatch(const Executor& executor);

    /// Watches this socket from now on. False if it cannot be.
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
