#include "api/tx_waiter.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::api {
namespace {

bool has_happened(const TxView& tx, Until until) {
    if (is_final(tx.position.state)) return true;
    return until == Until::mined && tx.receipt.has_value();
}

}  // namespace

/// One bell for as long as it is waited for.
class TxWaiter::Waiting {
public:
    explicit Waiting(TxWaiter& waiter) : bell(waiter.executor_), waiter_(waiter) { waiter_.waiting_.insert(&bell); }
    ~Waiting() { waiter_.waiting_.erase(&bell); }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

    Wakeup bell;

private:
    TxWaiter& waiter_;
};

TxWaiter::TxWaiter(const Executor& executor, Queries& queries, Clock& clock, Options options)
    : executor_(executor),
      queries_(queries),
      clock_(clock),
      options_(options) {}

Task<Result<TxView, StoreError>> TxWaiter::wait(TxView seen, Until until, Instant deadline) {
    Waiting waiting(*this);
    while (!stopped_ && !has_happened(seen, until) && clock_.monotonic() < deadline) {
        co_await clock_.wait_until(&waiting.bell, std::min(deadline, clock_.monotonic() + options_.look_every));
        auto now = co_await queries_.by_id(seen.id);
        if (!now) co_return err(now.error());
        // Transactions are never deleted; if a person did it all the same, what was seen is the best answer.
        if (!*now) break;
        seen = **std::move(now);
    }
    co_return seen;
}

void TxWaiter::stop() {
    stopped_ = true;
    for (auto* const bell : waiting_)
        bell->ring();
}

}  // namespace fencepost::api
