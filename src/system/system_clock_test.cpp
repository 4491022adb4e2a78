// Sleeps, waits, cancellation and order of equal deadlines.
#include "system/system_clock.hpp"

#include <numeric>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include "base/async/task_group.hpp"

namespace fencepost {
namespace {

using namespace std::chrono_literals;

void run(Task<void> task) {
    asio::io_context context;
    asio::co_spawn(context, std::move(task), [](const std::exception_ptr& error) {
        if (error) std::rethrow_exception(error);
    });
    context.run();
}

Task<void> sleep_and_compare(SystemClock* clock) {
    for (const Duration duration : {Duration(-1s), Duration(0), Duration(1), Duration(3ms), Duration(20ms)}) {
        const auto deadline = clock->monotonic() + duration;
        co_await clock->sleep_until(deadline);
        EXPECT_GE(clock->monotonic(), deadline);
    }
}

TEST(SystemClock, SleepEndsAtOrAfterDeadline) {
    SystemClock clock;
    run(sleep_and_compare(&clock));
}

Task<void> sleep_then_log(SystemClock* clock, Instant deadline, std::vector<int>* log, int name) {
    co_await clock->sleep_until(deadline);
    log->push_back(name);
}

Task<void> sleep_together(SystemClock* clock, std::vector<int>* log) {
    TaskGroup group(co_await asio::this_coro::executor);
    const auto deadline = clock->monotonic() + 10ms;
    for (int i = 1; i <= 50; ++i)
        group.spawn(sleep_then_log(clock, deadline, log, i));
    group.spawn(sleep_then_log(clock, deadline - 1ns, log, 0));
    co_await group.join();
}

Task<void> wait_for_the_deadline(SystemClock* clock) {
    Wakeup bell(co_await asio::this_coro::executor);
    const auto deadline = clock->monotonic() + 3ms;
    co_await clock->wait_until(&bell, deadline);
    EXPECT_GE(clock->monotonic(), deadline);
}

TEST(SystemClock, WaitWithoutSignalEndsAtDeadline) {
    SystemClock clock;
    run(wait_for_the_deadline(&clock));
}

Task<void> ring_while_one_waits(SystemClock* clock) {
    const auto executor = co_await asio::this_coro::executor;
    Wakeup bell(executor);
    asio::post(executor, [&bell] { bell.notify(); });
    const auto began = clock->monotonic();
    co_await clock->wait_until(&bell, began + 1h);
    EXPECT_LT(clock->monotonic(), began + 1min);
}

TEST(SystemClock, WaitEndsWhenSignalled) {
    SystemClock clock;
    run(ring_while_one_waits(&clock));
}

// The timer is due and its handler queued when the wakeup is signalled and then destroyed.
Task<void> ring_at_the_deadline(SystemClock* clock) {
    const auto executor = co_await asio::this_coro::executor;
    for (int i = 0; i < 100; ++i) {
        Wakeup bell(executor);
        bell.notify();
        co_await clock->wait_until(&bell, clock->monotonic());
        co_await asio::post(asio::use_awaitable);
    }
}

TEST(SystemClock, LateTimerDoesNotTouchDestroyedWakeup) {
    SystemClock clock;
    run(ring_at_the_deadline(&clock));
}

TEST(SystemClock, SleepsWithEqualDeadlinesEndInOrder) {
    SystemClock clock;
    std::vector<int> log;
    run(sleep_together(&clock, &log));
    std::vector<int> in_order(51);
    std::iota(in_order.begin(), in_order.end(), 0);
    EXPECT_EQ(log, in_order);
}

Task<void> note_cancellation(SystemClock* clock, Instant deadline, bool* cancelled) {
    try {
        co_await clock->sleep_until(deadline);
    } catch (...) {
        *cancelled = is_cancellation(std::current_exception());
    }
}

Task<void> cancel_a_sleep(SystemClock* clock, Instant deadline, bool* cancelled) {
    TaskGroup group(co_await asio::this_coro::executor);
    group.spawn(note_cancellation(clock, deadline, cancelled));
    co_await asio::post(asio::use_awaitable);
    group.cancel();
    co_await group.join();
    co_await clock->sleep_for(1ms);  // a cancelled sleep delays no other
}

TEST(SystemClock, CancellationThrowsFromSleep) {
    SystemClock clock;
    for (const auto deadline : {clock.monotonic() + 1h, Instant::max()}) {
        bool cancelled = false;
        run(cancel_a_sleep(&clock, deadline, &cancelled));
        EXPECT_TRUE(cancelled);
    }
}

TEST(SystemClock, SleepsMayBeDestroyedWithContext) {
    SystemClock clock;
    {
        asio::io_context context;
        asio::co_spawn(context, clock.sleep_for(1h), [](const std::exception_ptr&) {});
        context.poll();
    }
    run(sleep_and_compare(&clock));
}

TEST(SystemClock, MonotonicTimeNeverStepsBack) {
    const SystemClock clock;
    auto last = clock.monotonic();
    for (int i = 0; i < 10'000; ++i) {
        const auto now = clock.monotonic();
        ASSERT_GE(now, last);
        last = now;
    }
}

TEST(SystemClock, ReturnsCurrentDate) {
    EXPECT_GT(SystemClock().unix_now(), UnixTime(std::chrono::sys_days(std::chrono::year(2024) / 1 / 1)));
}

}  // namespace
}  // namespace fencepost
