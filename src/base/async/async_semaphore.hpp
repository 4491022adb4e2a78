// A counting semaphore for coroutines of one executor: limits concurrency and queues the other tasks in FIFO order.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>

#include "base/async/task.hpp"

namespace fencepost {

class Turns {
    struct State;
    struct Waiter;

public:
    /// A permit, released on destruction to the next waiter. May outlive the semaphore.
    class Turn {
    public:
        Turn(Turn&&) noexcept = default;
        Turn& operator=(Turn&&) = delete;
        ~Turn();

    private:
        friend class Turns;
        explicit Turn(std::shared_ptr<State> state);
        std::shared_ptr<State> state_;
    };

    Turns(const Executor& executor, std::size_t at_once);
    ~Turns();
    Turns(const Turns&) = delete;
    Turns& operator=(const Turns&) = delete;

    /// FIFO. A cancelled wait leaves the queue without consuming a permit.
    [[nodiscard]] Task<Turn> take();

    /// The number of queued waiters.
    [[nodiscard]] std::size_t waiting() const;

private:
    static Task<Turn> take_from(std::shared_ptr<State> state);
    std::shared_ptr<State> state_;
};

}  // namespace fencepost
