#include "stop_signal.hpp"

#include <csignal>
#include <exception>
#include <utility>

#include "base/async/task_group.hpp"

namespace fencepost {

StopSignal::StopSignal(asio::io_context& context) : signals_(context, SIGINT, SIGTERM) {}

Task<void> StopSignal::watch(std::function<void()> stop) {
    co_await signals_.async_wait(asio::use_awaitable);
    signals_.clear();
    stop();
}

Task<void> StopSignal::run(Task<void> work, std::function<void()> stop) {
    TaskGroup watching(co_await asio::this_coro::executor);
    watching.spawn(watch(std::move(stop)));
    std::exception_ptr failed;
    try {
        co_await std::move(work);
    } catch (...) {
        failed = std::current_exception();
    }
    watching.cancel();
    co_await watching.join();
    if (failed) std::rethrow_exception(failed);
}

}  // namespace fencepost
