// A bell that one task waits for and any code on the same executor rings. Rings that nobody has heard yet count as one:
// the waiter looks at the state, not at the number of rings. (A timer used for this busy-loops: expires_at() cancels
// its other waiters.)
#pragma once

#include <boost/asio/experimental/channel.hpp>

#include "base/async/task.hpp"

namespace fencepost {

class Wakeup {
public:
    explicit Wakeup(const Executor& executor);

    void ring();
    /// Returns at once if it rang since the last wait.
    [[nodiscard]] Task<void> wait();

private:
    // Whether it rang is kept here and not in the channel's buffer: after a wait was cancelled, Boost 1.81's channel
    // takes nothing into its buffer any more.
    bool rung_ = false;
    bool waited_for_ = false;
    asio::experimental::channel<void(boost::system::error_code)> waiter_;
};

}  // namespace fencepost
