// The worker thread and its job queue.
#include "store/sqlite/engine/sqlite_worker.hpp"

#include <utility>

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

namespace fencepost::store::sqlite {

Worker::Worker(Execution execution) {
    if (execution == Execution::threaded) thread_ = std::thread(&Worker::serve, this);
}

Worker::~Worker() {
    if (!thread_.joinable()) return;
    {
        const std::scoped_lock lock(mutex_);
        ending_ = true;
    }
    job_available_.notify_one();
    thread_.join();
}

Task<void> Worker::run(std::function<void()> work) {
    if (!thread_.joinable()) {
        work();
        co_return;
    }
    // Keeps the caller's executor running until the answer comes.
    auto initiate = [this](auto handler, std::function<void()> outstanding) {
        auto guard = asio::make_work_guard(asio::get_associated_executor(handler));
        submit([handler = std::move(handler), work = std::move(outstanding), guard = std::move(guard)]() mutable {
            work();
            work = nullptr;  // on this thread, before the task may go on
            asio::post(guard.get_executor(), std::move(handler));
        });
    };
    co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(std::move(initiate), asio::use_awaitable,
                                                                         std::move(work));
}

void Worker::submit(Job job) {
    {
        const std::scoped_lock lock(mutex_);
        jobs_.push_back(std::move(job));
    }
    job_available_.notify_one();
}

void Worker::serve() {
    for (;;) {
        Job job;
        {
            std::unique_lock lock(mutex_);
            job_available_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
            if (jobs_.empty()) return;
            job = std::move(jobs_.front());
            jobs_.pop_front();
        }
        job();
    }
}

}  // namespace fencepost::store::sqlite
