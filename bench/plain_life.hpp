// The ceiling: the same lives by the plainest SQL, without fence, comparison or idempotency. What a store that promised
// nothing could do on this machine. It keeps what callers ask for later: transaction, payload, nonce, signed bytes,
// receipt, confirmations; and, when told to, the four rows of the outbox, which ours always writes.
#pragma once

#include <memory>

#include "life.hpp"
#include "store/postgres/connection/pg_connection.hpp"

namespace fencepost::bench {

/// Throws std::runtime_error when PostgreSQL does not do what it is asked.
class PlainLife {
public:
    PlainLife(store::pg::Connection& connection, const Clock& clock, Random& random);

    [[nodiscard]] Task<Laps> run(std::size_t batch_size, Duration how_long, Telling telling);

private:
    Task<void> commit(std::vector<store::pg::Query> queries);

    store::pg::Connection& connection_;
    const Clock& clock_;
    Source source_;
};

}  // namespace fencepost::bench
