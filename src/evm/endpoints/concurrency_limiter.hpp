// Limits the number of concurrent calls to one endpoint. A call that finds no free permit waits in FIFO order up to a
// deadline. The limit shrinks when the endpoint rate-limits us and recovers while it does not (failure 16: 94 of 100
// concurrent calls were refused). Sends get at most half of the permits, so reads of the head never starve (failure
// 78).
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
        /// Limits waiting reads only; waiting sends are limited by their queues.
        std::size_t most_waiting = 1000;
    };
    /// One permit; the destructor returns it.
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

    /// FIFO, as far as the share of sends allows. Empty on timeout or when too many calls already wait.
    [[nodiscard]] Task<Slot> take(Instant deadline, Use use = Use::read);

    /// Halves the limit.
    void shrink();
    /// Raises the limit by one per round of successes, up to `most`.
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
    /// The queue whose first waiter can be served now.
    [[nodiscard]] std::list<Waiter>* next_line();

    Executor executor_;
    Clock& clock_;
    Options options_;
    std::size_t limit_;
    std::size_t used_ = 0;
    std::size_t used_by_sends_ = 0;
    std::size_t successes_ = 0;
    std::uint64_t waiters_ = 0;  // total so far; numbers the waiters
    std::list<Waiter> reads_{};
    std::list<Waiter> sends_{};
    std::list<Waiter> granted_{};  // granted, not yet resumed
};

}  // namespace fencepost::evm
