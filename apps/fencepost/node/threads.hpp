// The additional threads of a node: each runs one worker from start to end.
#pragma once

#include <exception>
#include <functional>
#include <thread>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "base/async/task_group.hpp"
#include "node/worker.hpp"

namespace fencepost::node {

class WorkerThread {
public:
    /// Calls `on_failure` on that thread when the worker ends by itself.
    WorkerThread(const Shared& shared, std::function<void(std::exception_ptr)> on_failure);
    /// Cancels the worker and waits for it.
    ~WorkerThread();
    WorkerThread(const WorkerThread&) = delete;
    WorkerThread& operator=(const WorkerThread&) = delete;

    /// The worker runs only after this call.
    void start();
    /// Use it only on its own executor, except for this accessor.
    [[nodiscard]] Worker& worker() { return worker_; }

private:
    [[nodiscard]] Task<void> run_worker();

    asio::io_context context_{1};
    asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
    Worker worker_;
    TaskGroup tasks_;
    std::function<void(std::exception_ptr)> on_failure_;
    std::jthread thread_;
};

}  // namespace fencepost::node
