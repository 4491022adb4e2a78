#include "base/wakeup.hpp"

namespace fencepost {

Wakeup::Wakeup(const Executor& executor) : channel_(executor, 1) {}

void Wakeup::ring() { channel_.try_send(boost::system::error_code{}); }

Task<void> Wakeup::wait() { co_await channel_.async_receive(asio::use_awaitable); }

}  // namespace fencepost
