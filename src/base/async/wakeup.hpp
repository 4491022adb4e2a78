// A notification that one task waits for and any code on the same executor sends. Pending notifications coalesce: the
// waiter must check the state, not count notifications. (A timer used for this would busy-loop: expires_at() cancels
// its other waiters.)
#pragma once

#include <boost/asio/experimental/channel.hpp>

#include "base/async/task.hpp"

namespace fencepost {

class Wakeup {
public:
    explicit Wakeup(const Executor& executor);

    void notify();
    /// Returns at once if it was notified since the last wait.
    [[nodiscard]] Task<void> wait();

private:
    // Stored here and not in the channel's buffer: after a cancelled wait, Boost 1.81's channel does not buffer any
    // more.
    bool notified_ = false;
    bool waited_for_ = false;
    asio::experimental::channel<void(boost::system::error_code)> waiter_;
};

}  // namespace fencepost
