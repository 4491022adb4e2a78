// The upper bound: the same life cycles in plain SQL, without fence, comparison or idempotency, as fast as PostgreSQL
// allows on this machine. It stores what callers read later: transaction, payload, nonce, signed bytes, receipt,
// confirmations; optionally also the four outbox rows that Fencepost always writes.
#pragma once

#include <memory>

#include "lifecycle_load.hpp"
#include "store/postgres/connection/pg_connection.hpp"

namespace fencepost::bench {

/// Throws std::runtime_error when a statement fails.
class PlainSqlLoad {
public:
    PlainSqlLoad(store::pg::Connection& connection, const Clock& clock, Random& random);

    [[nodiscard]] Task<PhaseTimes> run(std::size_t batch_size, Duration how_long, EventMode event_mode);

private:
    Task<void> commit(std::vector<store::pg::Query> queries);

    store::pg::Connection& connection_;
    const Clock& clock_;
    Source source_;
};

}  // namespace fencepost::bench
