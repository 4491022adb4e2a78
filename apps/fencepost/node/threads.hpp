// The other threads of a node that has more than one: each runs one worker, from its start to its end.
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
    /// `on_failure` is called on that thread when the worker ends by itself.
    WorkerThread(const Shared& shared, std::function<void(std::exception_ptr)> on_failure);
    /// Cancels the worker and waits for it.
    ~WorkerThread();
    WorkerThread(const WorkerThread&) = delete;
    WorkerThread& operator=(const WorkerThread&) = delete;

    /// Nothing of the worker runs before.
    void start();
    /// To be touched only on its own executor, but for that.
    [[nodiscard]] Worker& worker() { return worker_; }

private:
    [[nodiscard]] Task<void> live();

    asio::io_context context_{1};
    asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
    Worker worker_;
    TaskGroup tasks_;
    std::function<void(std::exception_ptr)> on_failure_;
    std::jthread thread_;
};

}  // namespace fencepost::node
