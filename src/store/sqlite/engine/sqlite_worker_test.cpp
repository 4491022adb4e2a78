// On which thread jobs run and tasks resume.
#include "store/sqlite/engine/sqlite_worker.hpp"

#include <atomic>
#include <future>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

namespace fencepost::store::sqlite {
namespace {

using ThreadId = std::thread::id;

// The thread that did the work and the thread that resumed.
Task<std::pair<ThreadId, ThreadId>> observe(Worker* worker) {
    auto worked = std::make_shared<ThreadId>();
    std::function<void()> work = [worked] { *worked = std::this_thread::get_id(); };
    co_await worker->run(std::move(work));
    co_return std::pair(*worked, std::this_thread::get_id());
}

std::pair<ThreadId, ThreadId> observe(Execution execution) {
    Worker worker(execution);
    asio::io_context context;
    auto answer = asio::co_spawn(context, observe(&worker), asio::use_future);
    context.run();  // does not return while the worker has the task
    return answer.get();
}

TEST(SqliteWorker, InPlaceRunsOnCallerThread) {
    const auto [worked, went_on] = observe(Execution::in_place);
    EXPECT_EQ(worked, std::this_thread::get_id());
    EXPECT_EQ(went_on, std::this_thread::get_id());
}

TEST(SqliteWorker, ThreadedResumesOnCallerExecutor) {
    const auto [worked, went_on] = observe(Execution::threaded);
    EXPECT_NE(worked, std::this_thread::get_id());
    EXPECT_EQ(went_on, std::this_thread::get_id());
}

Task<void> count_up(Worker* worker, int* counter, int times) {
    for (int i = 0; i < times; ++i) {
        // Without a lock: the thread sanitizer fails if jobs overlap.
        std::function<void()> work = [counter] { ++*counter; };
        co_await worker->run(std::move(work));
    }
}

TEST(SqliteWorker, JobsRunOneAtATime) {
    Worker worker(Execution::threaded);
    int counter = 0;
    std::vector<std::jthread> shards;
    for (int shard = 0; shard < 4; ++shard) {
        shards.emplace_back([&worker, &counter] {
            asio::io_context context;
            auto one = asio::co_spawn(context, count_up(&worker, &counter, 500), asio::use_future);
            auto two = asio::co_spawn(context, count_up(&worker, &counter, 500), asio::use_future);
            context.run();
            one.get();
            two.get();
        });
    }
    shards.clear();
    Task<void> last = count_up(&worker, &counter, 1);
    asio::io_context context;
    auto done = asio::co_spawn(context, std::move(last), asio::use_future);
    context.run();
    done.get();
    EXPECT_EQ(counter, 4001);
}

Task<bool> wait_for_gate(Worker* worker, std::shared_future<void> gate, std::shared_ptr<std::atomic<bool>> done) {
    std::function<void()> work = [gate, done] {
        gate.wait();
        *done = true;
    };
    co_await worker->run(std::move(work));
    co_return done->load();
}

TEST(SqliteWorker, CancelledTaskStillGetsItsResult) {
    Worker worker(Execution::threaded);
    asio::io_context context;
    asio::cancellation_signal signal;
    std::promise<void> gate;
    auto done = std::make_shared<std::atomic<bool>>(false);
    auto answer = asio::co_spawn(context, wait_for_gate(&worker, gate.get_future().share(), done),
                                 asio::bind_cancellation_slot(signal.slot(), asio::use_future));
    context.poll();
    signal.emit(asio::cancellation_type::all);
    context.poll();
    gate.set_value();
    context.run();
    EXPECT_TRUE(answer.get());
}

TEST(SqliteWorker, FinishesSubmittedJobsBeforeEnding) {
    asio::io_context context;
    std::promise<void> gate;
    int counter = 0;
    auto done = std::make_shared<std::atomic<bool>>(false);
    {
        Worker worker(Execution::threaded);
        auto blocked =
            asio::co_spawn(context, wait_for_gate(&worker, gate.get_future().share(), done), asio::use_future);
        auto behind = asio::co_spawn(context, count_up(&worker, &counter, 1), asio::use_future);
        context.poll();
        gate.set_value();
    }
    EXPECT_TRUE(done->load());
    EXPECT_EQ(counter, 1);
    // Both tasks are ready to resume, but are destroyed with their executor instead.
}

}  // namespace
}  // namespace fencepost::store::sqlite
