// So many at a time, the others wait in line. For what must not be done by too many tasks at once on one executor.
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
    /// The right to go on; it goes to the next in line when this goes. May outlive the Turns.
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

    /// Served in the order of coming. A wait that is cancelled leaves the line and costs nobody a turn.
    [[nodiscard]] Task<Turn> take();

    /// How many wait in line.
    [[nodiscard]] std::size_t waiting() const;

private:
    static Task<Turn> take_from(std::shared_ptr<State> state);
    std::shared_ptr<State> state_;
};

}  // namespace fencepost
