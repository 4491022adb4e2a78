#include "lane/host/time_limit.hpp"

#include <exception>
#include <utility>

#include "base/async/cancellation.hpp"
#include "base/async/task_group.hpp"
#include "base/async/wakeup.hpp"

namespace fencepost::lane {
namespace {

struct Ending {
    bool ended = false;
    std::exception_ptr error;
};

Task<void> run_and_notify(Task<void> work, Ending* ending, Wakeup* wakeup) {
    try {
        co_await std::move(work);
    } catch (...) {
        ending->error = std::current_exception();
    }
    ending->ended = true;
    wakeup->notify();
}

}  // namespace

Task<bool> run_within(Clock* clock, Duration limit, Task<void> work) {
    co_await throw_if_cancelled();
    const Executor executor = co_await asio::this_coro::executor;
    Ending ending;
    Wakeup wakeup(executor);
    TaskGroup beside(executor);
    beside.spawn(run_and_notify(std::move(work), &ending, &wakeup));
    std::exception_ptr stopped;
    try {
        co_await clock->wait_until(&wakeup, clock->monotonic() + limit);
    } catch (...) {
        stopped = std::current_exception();
    }
    const bool in_time = ending.ended;
    beside.cancel();
    // A cancelled caller also waits for it: the task uses what the caller owns.
    if (stopped) co_await asio::this_coro::reset_cancellation_state();
    co_await beside.join();
    if (stopped) std::rethrow_exception(stopped);
    if (ending.error && (in_time || !is_cancellation(ending.error))) std::rethrow_exception(ending.error);
    co_return in_time;
}

}  // namespace fencepost::lane
