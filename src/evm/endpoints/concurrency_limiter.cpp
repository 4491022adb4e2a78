// Grants permits in FIFO order and adapts the limit.
#include "evm/endpoints/concurrency_limiter.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::evm {

// A position in the queue. If a waiter is granted a permit but its task is cancelled first, the permit passes on.
class ConcurrencyLimiter::Queued {
public:
    Queued(ConcurrencyLimiter& limiter, Purpose purpose)
        : limiter_(limiter),
          me_(limiter.line_of(purpose).emplace(limiter.line_of(purpose).end(), limiter.executor_, purpose,
                                               limiter.waiters_++)) {}
    ~Queued() {
        const bool unconsumed = me_->granted && !taken_;
        const auto purpose = me_->purpose;
        (me_->granted ? limiter_.granted_ : limiter_.line_of(purpose)).erase(me_);
        if (unconsumed) limiter_.release(purpose);
    }
    Queued(const Queued&) = delete;
    Queued& operator=(const Queued&) = delete;

    Wakeup& bell() { return me_->bell; }
    bool take() { return taken_ = me_->granted; }

private:
    ConcurrencyLimiter& limiter_;
    std::list<Waiter>::iterator me_;
    bool taken_ = false;
};

ConcurrencyLimiter::ConcurrencyLimiter(Executor executor, Clock& clock, Options options)
    : executor_(std::move(executor)),
      clock_(clock),
      options_(options),
      limit_(options.most) {}

bool ConcurrencyLimiter::has_room(Purpose purpose) const {
    return used_ < limit_ && (purpose == Purpose::read || used_by_sends_ < std::max<std::size_t>(1, limit_ / 2));
}

void ConcurrencyLimiter::occupy(Purpose purpose) {
    ++used_;
    if (purpose == Purpose::send) ++used_by_sends_;
}

Task<ConcurrencyLimiter::Permit> ConcurrencyLimiter::take(Instant deadline, Purpose purpose) {
    // Whenever there is room the next waiter is served at once, so no other call of the same purpose waits now.
    if (has_room(purpose)) {
        occupy(purpose);
        co_return Permit(*this, purpose);
    }
    if (purpose == Purpose::read && reads_.size() >= options_.max_waiting) co_return Permit();
    Queued queued(*this, purpose);
    co_await clock_.wait_until(&queued.bell(), deadline);
    if (!queued.take()) co_return Permit();
    co_return Permit(*this, purpose);
}

void ConcurrencyLimiter::shrink() {
    limit_ = std::max<std::size_t>(1, limit_ / 2);
    successes_ = 0;
}

void ConcurrencyLimiter::grow() {
    if (limit_ >= options_.most || ++successes_ < limit_) return;
    ++limit_;
    successes_ = 0;
    serve_waiters();
}

void ConcurrencyLimiter::release(Purpose purpose) {
    --used_;
    if (purpose == Purpose::send) --used_by_sends_;
    serve_waiters();
}

std::list<ConcurrencyLimiter::Waiter>* ConcurrencyLimiter::next_line() {
    const bool read = !reads_.empty() && has_room(Purpose::read);
    const bool send = !sends_.empty() && has_room(Purpose::send);
    if (read && send) return reads_.front().number < sends_.front().number ? &reads_ : &sends_;
    if (read) return &reads_;
    return send ? &sends_ : nullptr;
}

void ConcurrencyLimiter::serve_waiters() {
    while (auto* line = next_line()) {
        auto& waiter = line->front();
        occupy(waiter.purpose);
        waiter.granted = true;
        waiter.bell.notify();
        granted_.splice(granted_.end(), *line, line->begin());
    }
}

}  // namespace fencepost::evm
