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
enum class Purpose { read, send };

class ConcurrencyLimiter {
public:
    struct Options {
        std::size_t most = 100;
        /// Limits waiting reads only; waiting sends are limited by their queues.
        std::size_t max_waiting = 1000;
    };
    /// One permit; the destructor returns it.
    class Permit {
    public:
        Permit() = default;
        Permit(ConcurrencyLimiter& limiter, Purpose purpose) : limiter_(&limiter), purpose_(purpose) {}
        Permit(Permit&& other) noexcept : limiter_(std::exchange(other.limiter_, nullptr)), purpose_(other.purpose_) {}
        Permit& operator=(Permit&&) = delete;
        Permit(const Permit&) = delete;
        Permit& operator=(const Permit&) = delete;
        ~Permit() {
            if (limiter_ != nullptr) limiter_->release(purpose_);
        }
        explicit operator bool() const { return limiter_ != nullptr; }

    private:
        ConcurrencyLimiter* limiter_ = nullptr;
        Purpose purpose_ = Purpose::read;
    };

    ConcurrencyLimiter(Executor executor, Clock& clock, Options options);

    /// FIFO, as far as the share of sends allows. Empty on timeout or when too many calls already wait.
    [[nodiscard]] Task<Permit> take(Instant deadline, Purpose purpose = Purpose::read);

    /// Halves the limit.
    void shrink();
    /// Raises the limit by one per round of successes, up to `most`.
    void grow();

    [[nodiscard]] std::size_t limit() const { return limit_; }
    [[nodiscard]] std::size_t used() const { return used_; }

private:
    struct Waiter {
        Waiter(const Executor& executor, Purpose purpose_in, std::uint64_t number_in)
            : bell(executor),
              purpose(purpose_in),
              number(number_in) {}
        Wakeup bell;
        Purpose purpose;
        std::uint64_t number;
        bool granted = false;
    };
    class Queued;

    [[nodiscard]] bool has_room(Purpose purpose) const;
    void occupy(Purpose purpose);
    void release(Purpose purpose);
    void serve_waiters();
    [[nodiscard]] std::list<Waiter>& line_of(Purpose purpose) { return purpose == Purpose::read ? reads_ : sends_; }
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
