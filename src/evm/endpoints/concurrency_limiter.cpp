// Grants permits in FIFO order and adapts the limit.
#include "evm/endpoints/concurrency_limiter.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::evm {

// A position in the queue. If a waiter is granted a permit but its task is cancelled first, the permit passes on.
class Slots::Queued {
public:
    Queued(Slots& slots, Use use)
        : slots_(slots),
          me_(slots.line_of(use).emplace(slots.line_of(use).end(), slots.executor_, use, slots.waiters_++)) {}
    ~Queued() {
        const bool unheard = me_->granted && !taken_;
        const auto use = me_->use;
        (me_->granted ? slots_.granted_ : slots_.line_of(use)).erase(me_);
        if (unheard) slots_.give_back(use);
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

bool Slots::has_room(Use use) const {
    return used_ < limit_ && (use == Use::read || used_by_sends_ < std::max<std::size_t>(1, limit_ / 2));
}

void Slots::occupy(Use use) {
    ++used_;
    if (use == Use::send) ++used_by_sends_;
}

Task<Slots::Slot> Slots::take(Instant deadline, Use use) {
    // Whenever there is room the next waiter is served at once, so no other call of the same use waits now.
    if (has_room(use)) {
        occupy(use);
        co_return Slot(*this, use);
    }
    if (use == Use::read && reads_.size() >= options_.most_waiting) co_return Slot();
    Queued queued(*this, use);
    co_await clock_.wait_until(&queued.bell(), deadline);
    if (!queued.take()) co_return Slot();
    co_return Slot(*this, use);
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

void Slots::give_back(Use use) {
    --used_;
    if (use == Use::send) --used_by_sends_;
    serve_waiters();
}

std::list<Slots::Waiter>* Slots::next_line() {
    const bool read = !reads_.empty() && has_room(Use::read);
    const bool send = !sends_.empty() && has_room(Use::send);
    if (read && send) return reads_.front().number < sends_.front().number ? &reads_ : &sends_;
    if (read) return &reads_;
    return send ? &sends_ : nullptr;
}

void Slots::serve_waiters() {
    while (auto* line = next_line()) {
        auto& waiter = line->front();
        occupy(waiter.use);
        waiter.granted = true;
        waiter.bell.ring();
        granted_.splice(granted_.end(), *line, line->begin());
    }
}

}  // namespace fencepost::evm
