// Long polling: a request that waits until something has happened to its transaction. What a lane of this node writes
// is announced, and looked at then; for what other nodes write, each waiter looks by itself, soon at first and then
// less and less often. As many may wait as the store can bear, and all of them end at once when the server is to stop.
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
    mined,      // a receipt is there, or there will never be one
    confirmed,  // it has its verdict
};
FP_ENUM_NAMES(Until, as_written, mined, confirmed)

/// How many may wait on such a server: half of what it takes on at once, in all and from one address, so that whoever
/// does not wait always gets through; and no more than the store can bear.
[[nodiscard]] std::size_t most_waiters(const http::ServerOptions& server);

class TxWaiter {
public:
    struct Options {
        std::size_t max_waiters = 1'000;
        /// The first look; each further one comes half as much later, up to the longest pause.
        Duration first_look = std::chrono::milliseconds(250);
        Duration longest_pause = std::chrono::seconds(2);
    };

    TxWaiter(const Executor& executor, Queries& queries, Clock& clock, Options options);

    /// False when too many wait already.
    [[nodiscard]] bool has_room() const { return waiting_.size() < options_.max_waiters; }

    /// The transaction as it is once that has happened, or at the deadline, or when waiting is stopped, or when the
    /// client has gone (if there is one to watch). `seen` is how the caller knows it; it is read again only after a
    /// while.
    [[nodiscard]] Task<Result<TxView, StoreError>> wait(TxView seen, Until until, Instant deadline,
                                                        http::Client* client = nullptr);

    /// Those who wait for that look now.
    void announce(const TxChange& change);

    /// Nobody waits any more, from now on.
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
