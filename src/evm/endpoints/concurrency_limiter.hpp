// How many calls may be under way at once. Who finds none free waits in line, up to a deadline; the number shrinks when
// the other side says it is too much and recovers while it does not (failure 16: 100 calls at once, 94 of them
// refused). Sends get at most half of the slots: however many there are, the head is followed (failure 78).
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <utility>

#include "base/async/task.hpp"
#include "base/async/wakeup.hpp"
#include "base/time.hpp"
#include "ports/clock.hpp"

namespace fencepost::evm {

/// What a call is for.
enum class Use { read, send };

class Slots {
public:
    struct Options {
        std::size_t most = 100;
        /// Of reads; sends are held back by their queues.
        std::size_t most_waiting = 1000;
    };
    /// A place, given back by its destructor.
    class Slot {
    public:
        Slot() = default;
        Slot(Slots& slots, Use use) : slots_(&slots), use_(use) {}
        Slot(Slot&& other) noexcept : slots_(std::exchange(other.slots_, nullptr)), use_(other.use_) {}
        Slot& operator=(Slot&&) = delete;
        Slot(const Slot&) = delete;
        Slot& operator=(const Slot&) = delete;
        ~Slot() {
            if (slots_ != nullptr) slots_->give_back(use_);
        }
        explicit operator bool() const { return slots_ != nullptr; }

    private:
        Slots* slots_ = nullptr;
        Use use_ = Use::read;
    };

    Slots(Executor executor, Clock& clock, Options options);

    /// In the order asked, as far as the share of the sends allows. Empty when none came free in time, or too many wait
    /// already.
    [[nodiscard]] Task<Slot> take(Instant deadline, Use use = Use::read);

    /// Half as many from now on.
    void shrink();
    /// One more for every round of successes, up to the most.
    void grow();

    [[nodiscard]] std::size_t limit() const { return limit_; }
    [[nodiscard]] std::size_t used() const { return used_; }

private:
    struct Waiter {
        Waiter(const Executor& executor, Use use_in, std::uint64_t number_in)
            : bell(executor),
              use(use_in),
              number(number_in) {}
        Wakeup bell;
        Use use;
        std::uint64_t number;
        bool granted = false;
    };
    class Queued;

    [[nodiscard]] bool has_room(Use use) const;
    void occupy(Use use);
    void give_back(Use use);
    void serve_waiters();
    [[nodiscard]] std::list<Waiter>& line_of(Use use) { return use == Use::read ? reads_ : sends_; }
    /// The next who can be served now.
    [[nodiscard]] std::list<Waiter>* next_line();

    Executor executor_;
    Clock& clock_;
    Options options_;
    std::size_t limit_;
    std::size_t used_ = 0;
    std::size_t used_by_sends_ = 0;
    std::size_t successes_ = 0;
    std::uint64_t waiters_ = 0;  // so far
    std::list<Waiter> reads_{};
    std::list<Waiter> sends_{};
    std::list<Waiter> granted_{};  // served, and yet to hear of it
};

}  // namespace fencepost::evm
