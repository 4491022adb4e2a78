// A counting semaphore for coroutines of one executor: limits concurrency and queues the other tasks in FIFO order.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>

#include "base/async/task.hpp"

namespace fencepost {

class AsyncSemaphore {
    struct State;
    struct Waiter;

public:
    /// A permit, released on destruction to the next waiter. May outlive the semaphore.
    class Permit {
    public:
        Permit(Permit&&) noexcept = default;
        Permit& operator=(Permit&&) = delete;
        ~Permit();

    private:
        friend class AsyncSemaphore;
        explicit Permit(std::shared_ptr<State> state);
        std::shared_ptr<State> state_;
    };

    AsyncSemaphore(const Executor& executor, std::size_t permits);
    ~AsyncSemaphore();
    AsyncSemaphore(const AsyncSemaphore&) = delete;
    AsyncSemaphore& operator=(const AsyncSemaphore&) = delete;

    /// FIFO. A cancelled wait leaves the queue without consuming a permit.
    [[nodiscard]] Task<Permit> take();

    /// The number of queued waiters.
    [[nodiscard]] std::size_t waiting() const;

private:
    static Task<Permit> take_from(std::shared_ptr<State> state);
    std::shared_ptr<State> state_;
};

}  // namespace fencepost
