#include "base/wakeup.hpp"

namespace fencepost {

Wakeup::Wakeup(const Executor& executor) : waiter_(executor) {}

void Wakeup::ring() {
    rung_ = true;
    waiter_.try_send(boost::system::error_code{});
}

Task<void> Wakeup::wait() {
    if (!rung_) co_await waiter_.async_receive(asio::use_awaitable);
    rung_ = false;
}

}  // namespace fencepost
