// The owner of tasks that run beside it. What a group spawned it also cancels and joins: no task outlives its group,
// and an error in one of them is not lost.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/execution_context.hpp>

#include "base/async/task.hpp"

namespace fencepost {

/// Marks an execution context whose coroutine frames are about to be destroyed where they stand (a simulated crash, or
/// an io_context destroyed after a failed start). Groups then go without having been joined; at any other time that is
/// a programmer's mistake.
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
    /// The group must have been joined. A destructor cannot wait, so it cannot do it.
    ~TaskGroup();
    TaskGroup(const TaskGroup&) = delete;
    TaskGroup& operator=(const TaskGroup&) = delete;

    /// Starts a task. If it ends with an exception other than cancellation, the others are cancelled and join() throws
    /// it.
    void spawn(Task<void> task);

    /// Asks every running task to stop at its next suspension point. Callable any number of times.
    void cancel();

    /// Returns when every task has ended, then throws the first error, if there was one. When the caller is itself
    /// cancelled meanwhile, the tasks are cancelled and still waited for, and the cancellation is thrown afterwards.
    [[nodiscard]] Task<void> join();

    [[nodiscard]] std::size_t running() const;

private:
    struct State;
    std::shared_ptr<State> state_;
};

/// Whether an exception only says that its task was cancelled. Whether anybody did cancel it, it does not say: see
/// throw_on_if_cancelled().
[[nodiscard]] bool is_cancellation(const std::exception_ptr& error);

}  // namespace fencepost
