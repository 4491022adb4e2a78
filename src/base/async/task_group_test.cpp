#include "base/async/task_group.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include "base/async/wakeup.hpp"

namespace fencepost {
namespace {

using Log = std::vector<std::string>;

struct LogOnExit {
    ~LogOnExit() { log->push_back(name + " ended"); }
    Log* log;
    std::string name;
};

// Waits until it is cancelled.
Task<void> wait_until_cancelled(Log* log, std::string name) {
    const LogOnExit at_end{log, name};
    Wakeup never(co_await asio::this_coro::executor);
    co_await never.wait();
}

// Both waits are cancelled at once, which Asio reports by a different exception type.
Task<void> wait_for_either(Log* log) {
    using namespace asio::experimental::awaitable_operators;
    const LogOnExit at_end{log, "either"};
    Wakeup one(co_await asio::this_coro::executor);
    Wakeup other(co_await asio::this_coro::executor);
    co_await (one.wait() || other.wait());
}

Task<void> cancel_either(Log* log) {
    TaskGroup group(co_await asio::this_coro::executor);
    group.spawn(wait_for_either(log));
    co_await asio::post(asio::use_awaitable);
    group.cancel();
    co_await group.join();
}

Task<void> fail(std::string why) {
    co_await asio::post(asio::use_awaitable);
    throw std::runtime_error(why);
}

Task<void> count_to(int* counter, int end) {
    while (*counter < end) {
        ++*counter;
        co_await asio::post(asio::use_awaitable);
    }
}

// Runs a task on its own context and returns its exception, if any.
std::exception_ptr run(Task<void> task) {
    asio::io_context context;
    std::exception_ptr error;
    asio::co_spawn(context, std::move(task), [&error](const std::exception_ptr& e) { error = e; });
    context.run();
    return error;
}

std::string message(const std::exception_ptr& error) {
    if (!error) return "none";
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& e) {
        return e.what();
    }
}

Task<void> join_two_counters(int* a, int* b) {
    TaskGroup group(co_await asio::this_coro::executor);
    group.spawn(count_to(a, 3));
    group.spawn(count_to(b, 5));
    EXPECT_EQ(group.running(), 2U);
    co_await group.join();
    EXPECT_EQ(group.running(), 0U);
}

TEST(TaskGroup, CancellingAWaitForEitherIsNoError) {
    Log log;
    EXPECT_EQ(message(run(cancel_either(&log))), "none");
    EXPECT_EQ(log, Log{"either ended"});
}

TEST(TaskGroup, JoinWaitsForEveryTask) {
    int a = 0;
    int b = 0;
    EXPECT_EQ(message(run(join_two_counters(&a, &b))), "none");
    EXPECT_EQ(a, 3);
    EXPECT_EQ(b, 5);
}

Task<void> cancel_and_join(Log* log) {
    TaskGroup group(co_await asio::this_coro::executor);
    group.spawn(wait_until_cancelled(log, "a"));
    group.spawn(wait_until_cancelled(log, "b"));
    co_await asio::post(asio::use_awaitable);
    group.cancel();
    group.cancel();
    co_await group.join();
    log->emplace_back("joined");
}

TEST(TaskGroup, CancelEndsTasksBeforeJoinReturns) {
    Log log;
    EXPECT_EQ(message(run(cancel_and_join(&log))), "none");
    EXPECT_EQ(log, (Log{"a ended", "b ended", "joined"}));
}

Task<void> one_fails(Log* log) {
    TaskGroup group(co_await asio::this_coro::executor);
    group.spawn(wait_until_cancelled(log, "a"));
    group.spawn(fail("disk on fire"));
    co_await group.join();
}

TEST(TaskGroup, ErrorCancelsSiblingsAndIsThrownByJoin) {
    Log log;
    EXPECT_EQ(message(run(one_fails(&log))), "disk on fire");
    EXPECT_EQ(log, (Log{"a ended"}));
}

Task<void> inner_group(Log* log) {
    TaskGroup group(co_await asio::this_coro::executor);
    group.spawn(wait_until_cancelled(log, "inner"));
    co_await group.join();
}

Task<void> outer_group(Log* log) {
    TaskGroup group(co_await asio::this_coro::executor);
    group.spawn(inner_group(log));
    co_await asio::post(asio::use_awaitable);
    co_await asio::post(asio::use_awaitable);
    group.cancel();
    co_await group.join();
    log->emplace_back("outer joined");
}

TEST(TaskGroup, CancellingTheOwnerCancelsAndJoinsItsTasks) {
    Log log;
    EXPECT_EQ(message(run(outer_group(&log))), "none");
    EXPECT_EQ(log, (Log{"inner ended", "outer joined"}));
}

Task<void> reuse_after_join(int* a) {
    TaskGroup group(co_await asio::this_coro::executor);
    group.spawn(count_to(a, 1));
    co_await group.join();
    group.spawn(count_to(a, 4));
    co_await group.join();
}

TEST(TaskGroup, CanBeUsedAgainAfterJoin) {
    int a = 0;
    EXPECT_EQ(message(run(reuse_after_join(&a))), "none");
    EXPECT_EQ(a, 4);
}

Task<void> forget_to_join(Log* log) {
    TaskGroup group(co_await asio::this_coro::executor);
    group.spawn(wait_until_cancelled(log, "orphan"));
    co_await asio::post(asio::use_awaitable);
}

TEST(TaskGroupDeathTest, DestructionWithoutJoinAborts) {
    Log log;
    EXPECT_DEATH(run(forget_to_join(&log)), "neither cancelled nor joined");
}

Task<void> hold(Log* log) {
    TaskGroup group(co_await asio::this_coro::executor);
    group.spawn(wait_until_cancelled(log, "child"));
    co_await group.join();
}

TEST(TaskGroup, TeardownDestroysTasksWithoutJoining) {
    Log log;
    {
        asio::io_context context;
        asio::co_spawn(context, hold(&log), [](const std::exception_ptr&) {});
        context.poll();
        Teardown::begin(context);
    }
    EXPECT_EQ(log, (Log{"child ended"}));
}

Task<void> notify_twice_wait_once(Log* log) {
    Wakeup wakeup(co_await asio::this_coro::executor);
    wakeup.notify();
    wakeup.notify();
    co_await wakeup.wait();
    log->emplace_back("woken");
    TaskGroup group(co_await asio::this_coro::executor);
    group.spawn(wakeup.wait());
    co_await asio::post(asio::use_awaitable);
    EXPECT_EQ(group.running(), 1U) << "two notifications before the first wait count as one";
    wakeup.notify();
    co_await group.join();
    log->emplace_back("woken again");
}

Task<void> notify_after_a_cancelled_wait(Log* log) {
    Wakeup wakeup(co_await asio::this_coro::executor);
    TaskGroup group(co_await asio::this_coro::executor);
    group.spawn(wakeup.wait());
    co_await asio::post(asio::use_awaitable);
    group.cancel();
    co_await group.join();
    wakeup.notify();
    group.spawn(wakeup.wait());
    co_await asio::post(asio::use_awaitable);
    co_await asio::post(asio::use_awaitable);
    log->emplace_back(group.running() == 0 ? "received" : "lost");
    group.cancel();
    co_await group.join();
}

TEST(Wakeup, NotificationAfterACancelledWaitIsKept) {
    Log log;
    EXPECT_EQ(message(run(notify_after_a_cancelled_wait(&log))), "none");
    EXPECT_EQ(log, Log{"received"});
}

TEST(Wakeup, PendingNotificationsCoalesce) {
    Log log;
    EXPECT_EQ(message(run(notify_twice_wait_once(&log))), "none");
    EXPECT_EQ(log, (Log{"woken", "woken again"}));
}

}  // namespace
}  // namespace fencepost
