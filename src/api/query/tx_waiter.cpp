#include "api/query/tx_waiter.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::api {
namespace {

bool has_happened(const TxView& tx, Until until) {
    if (is_final(tx.position.state)) return true;
    return until == Until::mined && tx.receipt.has_value();
}

// Each waiter polls every two seconds.
constexpr std::size_t max_pollers = 1'000;

}  // namespace

std::size_t waiter_limit(const http::ServerOptions& server) {
    const auto at_once = std::min({server.max_requests, server.max_connections, server.max_connections_per_peer});
    return std::clamp<std::size_t>(at_once / 2, 1, max_pollers);
}

/// A registered waiter; it is unregistered when the wait ends.
class TxWaiter::Waiting {
public:
    Waiting(TxWaiter& waiter, const TxId& tx, Until until, http::Client* client)
        : bell(waiter.executor_),
          waiter_(waiter),
          until_(until),
          client_(client),
          place_(waiter.waiting_.emplace(tx, this)) {
        if (client_ != nullptr) client_->when_gone([this] { leave(); });
    }
    ~Waiting() {
        waiter_.waiting_.erase(place_);
        if (client_ != nullptr) client_->when_gone({});
    }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

    [[nodiscard]] bool is_for(const TxChange& change) const {
        return change.is_settled || (until_ == Until::mined && change.is_mined);
    }

    [[nodiscard]] bool is_abandoned() const { return gone_; }

    Wakeup bell;

private:
    void leave() {
        gone_ = true;
        bell.notify();
    }

    TxWaiter& waiter_;
    Until until_;
    http::Client* client_;
    bool gone_ = false;
    std::multimap<TxId, Waiting*>::iterator place_;
};

TxWaiter::TxWaiter(const Executor& executor, Queries& queries, Clock& clock, Options options)
    : executor_(executor),
      queries_(queries),
      clock_(clock),
      options_(options) {}

Task<Result<TxView, StoreError>> TxWaiter::wait(TxView seen, Until until, Instant deadline, http::Client* client) {
    Waiting waiting(*this, seen.id, until, client);
    auto pause = options_.first_poll;
    while (!stopped_ && !has_happened(seen, until) && clock_.monotonic() < deadline) {
        co_await clock_.wait_until(&waiting.bell, std::min(deadline, clock_.monotonic() + pause));
        if (waiting.is_abandoned()) break;
        pause = std::min(pause + pause / 2, options_.max_poll_interval);
        auto now = co_await queries_.by_id(seen.id);
        if (!now) co_return err(now.error());
        // Transactions are never deleted; if an operator deletes one anyway, the last known state is the best answer.
        if (!*now) break;
        seen = **std::move(now);
    }
    co_return seen;
}

void TxWaiter::announce(const TxChange& change) {
    const auto [first, last] = waiting_.equal_range(change.tx);
    for (auto at = first; at != last; ++at) {
        if (at->second->is_for(change)) at->second->bell.notify();
    }
}

void TxWaiter::stop() {
    stopped_ = true;
    for (const auto& [tx, waiting] : waiting_)
        waiting->bell.notify();
}

}  // namespace fencepost::api
