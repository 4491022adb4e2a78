// How many calls may be under way at once. Who finds none free waits in line, up to a deadline; the number shrinks when
// the other side says it is too much and recovers while it does not (failure 16: 100 calls at once, 94 of them
// refused).
#pragma once

#include <cstddef>
#include <list>

#include "base/task.hpp"
#include "base/time.hpp"
#include "base/wakeup.hpp"
#include "ports/clock.hpp"

namespace fencepost::evm {

class Slots {
public:
    struct Options {
        std::size_t most = 100;
        std::size_t most_waiting = 1000;
    };
    /// A place, given back by its destructor.
    class Slot {
    public:
        Slot() = default;
        explicit Slot(Slots& slots) : slots_(&slots) {}
        Slot(Slot&& other) noexcept : slots_(std::exchange(other.slots_, nullptr)) {}
        Slot& operator=(Slot&&) = delete;
        Slot(const Slot&) = delete;
        Slot& operator=(const Slot&) = delete;
        ~Slot() {
            if (slots_ != nullptr) slots_->give_back();
        }
        explicit operator bool() const { return slots_ != nullptr; }

    private:
        Slots* slots_ = nullptr;
    };

    Slots(Executor executor, Clock& clock, Options options);

    /// In the order asked. Empty when none came free in time, or too many wait already.
    [[nodiscard]] Task<Slot> take(Instant deadline);

    /// Half as many from now on.
    void shrink();
    /// One more for every round of successes, up to the most.
    void grow();

    [[nodiscard]] std::size_t limit() const { return limit_; }
    [[nodiscard]] std::size_t used() const { return used_; }

private:
    struct Waiter {
        explicit Waiter(const Executor& executor) : bell(executor) {}
        Wakeup bell;
        bool granted = false;
    };
    class Queued;

    void give_back();
    void serve_waiters();

    Executor executor_;
    Clock& clock_;
    Options options_;
    std::size_t limit_;
    std::size_t used_ = 0;
    std::size_t successes_ = 0;
    std::list<Waiter> waiters_{};
};

}  // namespace fencepost::evm
