// Long polling: a request waits until its transaction reaches a state. Commits of this node's lanes wake the waiters.
// For commits of other nodes each waiter polls the store, with growing intervals. The number of waiters is limited by
// what the store can bear, and all of them return at once when the server stops.
#pragma once

#include <cstddef>
#include <map>

#include "api/query/tx_change.hpp"
#include "base/async/wakeup.hpp"
#include "base/result.hpp"
#include "base/text/enum_names.hpp"
#include "http/message/message.hpp"
#include "http/server.hpp"
#include "ports/clock.hpp"
#include "ports/store/queries.hpp"

namespace fencepost::api {

enum class Until {
    mined,      // it has a receipt, or can never get one
    confirmed,  // it is settled
};
FP_ENUM_NAMES(Until, as_written, mined, confirmed)

/// The maximum number of waiters for such a server: half of its limits on requests and on connections per address, so
/// that requests that do not wait always get through; and no more than the store can bear.
[[nodiscard]] std::size_t waiter_limit(const http::ServerOptions& server);

class TxWaiter {
public:
    struct Options {
        std::size_t max_waiters = 1'000;
        /// The first poll; each further interval is 1.5 times the one before, up to max_poll_interval.
        Duration first_poll = std::chrono::milliseconds(250);
        Duration max_poll_interval = std::chrono::seconds(2);
    };

    TxWaiter(const Executor& executor, Queries& queries, Clock& clock, Options options);

    /// False when the maximum number of requests is waiting.
    [[nodiscard]] bool has_room() const { return waiting_.size() < options_.max_waiters; }

    /// Returns the transaction once it has reached `until`, at the deadline, when waiting is stopped, or when the
    /// client has disconnected (if one is given). `seen` is the state that the caller knows; the first poll comes
    /// later.
    [[nodiscard]] Task<Result<TxView, StoreError>> wait(TxView seen, Until until, Instant deadline,
                                                        http::Client* client = nullptr);

    /// Wakes the requests that wait for this change.
    void announce(const TxChange& change);

    /// Ends all waiting, now and in future.
    void stop();

private:
    class Waiting;

    Executor executor_;
    Queries& queries_;
    Clock& clock_;
    Options options_;
    std::multimap<TxId, Waiting*> waiting_;
    bool stopped_ = false;
};

}  // namespace fencepost::api
