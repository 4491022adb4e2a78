// Long polling: a request that waits until something has happened to its transaction. Each looks once a second at the
// most, so many may wait that the store does not suffer, and all of them end at once when the server is to stop.
#pragma once

#include <cstddef>
#include <optional>
#include <set>

#include "base/enum_names.hpp"
#include "base/result.hpp"
#include "base/wakeup.hpp"
#include "ports/clock.hpp"
#include "ports/store/queries.hpp"

namespace fencepost::api {

enum class Until {
    mined,      // a receipt is there, or there will never be one
    confirmed,  // it has its verdict
};

}  // namespace fencepost::api

namespace fencepost {

template <>
inline constexpr EnumNames<api::Until, 2> enum_names<api::Until>{{
    {api::Until::mined, "mined"},
    {api::Until::confirmed, "confirmed"},
}};

}  // namespace fencepost

namespace fencepost::api {

class TxWaiter {
public:
    struct Options {
        std::size_t max_waiters = 1'000;
        Duration look_every = std::chrono::seconds(1);
    };

    TxWaiter(const Executor& executor, Queries& queries, Clock& clock, Options options);

    /// False when too many wait already.
    [[nodiscard]] bool has_room() const { return waiting_.size() < options_.max_waiters; }

    /// The transaction as it is once that has happened, or at the deadline, or when waiting is stopped. `seen` is how
    /// the caller knows it; it is read again only after a while.
    [[nodiscard]] Task<Result<TxView, StoreError>> wait(TxView seen, Until until, Instant deadline);

    /// Nobody waits any more, from now on.
    void stop();

private:
    class Waiting;

    Executor executor_;
    Queries& queries_;
    Clock& clock_;
    Options options_;
    std::set<Wakeup*> waiting_;
    bool stopped_ = false;
};

}  // namespace fencepost::api
