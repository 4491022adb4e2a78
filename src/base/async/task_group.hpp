// Structured concurrency: the owner of tasks that run beside it. A group cancels and joins what it spawned: no task
// outlives its group, and no error is lost.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/execution_context.hpp>

#include "base/async/task.hpp"

namespace fencepost {

/// Marks an execution context whose coroutine frames are about to be destroyed in place (a simulated crash, or an
/// io_context destroyed after a failed start). Only then may groups be destroyed without having been joined.
class Teardown : public asio::execution_context::service {
public:
    using key_type = Teardown;
    explicit Teardown(asio::execution_context& context) : service(context) {}

    static void begin(asio::execution_context& context);
    [[nodiscard]] static bool begun(asio::execution_context& context);

private:
    void shutdown() override { begun_ = true; }
    bool begun_ = false;
};

class TaskGroup {
public:
    explicit TaskGroup(Executor executor);
    /// The group must have been joined: a destructor cannot wait.
    ~TaskGroup();
    TaskGroup(const TaskGroup&) = delete;
    TaskGroup& operator=(const TaskGroup&) = delete;

    /// Starts a task. If it ends with an exception other than cancellation, the others are cancelled and join() throws
    /// it.
    void spawn(Task<void> task);

    /// Cancels every running task at its next suspension point. May be called repeatedly.
    void cancel();

    /// Returns when every task has ended, then throws the first error, if any. If the caller is cancelled meanwhile,
    /// the tasks are cancelled and still awaited, and then the cancellation is thrown.
    [[nodiscard]] Task<void> join();

    [[nodiscard]] std::size_t running() const;

private:
    struct State;
    std::shared_ptr<State> state_;
};

/// Whether an exception is a cancellation error. It does not tell whether the task was really cancelled: see
/// throw_on_if_cancelled().
[[nodiscard]] bool is_cancellation(const std::exception_ptr& error);

}  // namespace fencepost
