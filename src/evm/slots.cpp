#include "evm/slots.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::evm {

// A place in the line. One that was served and did not get to hear of it, because its task was cancelled, passes the
// slot on.
class Slots::Queued {
public:
    explicit Queued(Slots& slots) : slots_(slots), me_(slots.waiters_.emplace(slots.waiters_.end(), slots.executor_)) {}
    ~Queued() {
        const bool unheard = me_->granted && !taken_;
        slots_.waiters_.erase(me_);
        if (unheard) slots_.give_back();
    }
    Queued(const Queued&) = delete;
    Queued& operator=(const Queued&) = delete;

    Wakeup& bell() { return me_->bell; }
    bool take() { return taken_ = me_->granted; }

private:
    Slots& slots_;
    std::list<Waiter>::iterator me_;
    bool taken_ = false;
};

Slots::Slots(Executor executor, Clock& clock, Options options)
    : executor_(std::move(executor)),
      clock_(clock),
      options_(options),
      limit_(options.most) {}

Task<Slots::Slot> Slots::take(Instant deadline) {
    if (used_ < limit_ && waiters_.empty()) {
        ++used_;
        co_return Slot(*this);
    }
    if (waiters_.size() >= options_.most_waiting) co_return Slot();
    Queued queued(*this);
    co_await clock_.wait_until(&queued.bell(), deadline);
    if (!queued.take()) co_return Slot();
    co_return Slot(*this);
}

void Slots::shrink() {
    limit_ = std::max<std::size_t>(1, limit_ / 2);
    successes_ = 0;
}

void Slots::grow() {
    if (limit_ >= options_.most || ++successes_ < limit_) return;
    ++limit_;
    successes_ = 0;
    serve_waiters();
}

void Slots::give_back() {
    --used_;
    serve_waiters();
}

void Slots::serve_waiters() {
    for (auto& waiter : waiters_) {
        if (used_ >= limit_) return;
        if (waiter.granted) continue;
        waiter.granted = true;
        ++used_;
        waiter.bell.ring();
    }
}

}  // namespace fencepost::evm
