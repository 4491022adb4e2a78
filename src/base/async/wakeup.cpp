#include "base/async/wakeup.hpp"

#include "base/async/task_group.hpp"

namespace fencepost {

Wakeup::Wakeup(const Executor& executor) : waiter_(executor) {}

void Wakeup::notify() {
    notified_ = true;
    // During teardown the waiter has already left the channel, and a notification from a destructor reaches no one.
    if (waited_for_ && !Teardown::begun(waiter_.get_executor().context())) {
        waiter_.try_send(boost::system::error_code{});
    }
}

Task<void> Wakeup::wait() {
    if (!notified_) {
        waited_for_ = true;
        co_await waiter_.async_receive(asio::use_awaitable);
    }
    waited_for_ = false;
    notified_ = false;
}

}  // namespace fencepost
