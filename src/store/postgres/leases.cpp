// Leases on PostgreSQL: the rules of domain/lease.hpp on a locked row, by the database's clock.
#include <set>
#include <tuple>

#include <boost/asio/experimental/awaitable_operators.hpp>

#include "base/assert.hpp"
#include "store/postgres/connection/pg_pool.hpp"
#include "store/postgres/connection/pg_store_error.hpp"
#include "store/postgres/postgres_store.hpp"

namespace fencepost::store {
namespace {

using pg::Params;
using pg::Query;
using pg::Rows;
using pg::Statement;

// Reads without a lock, so as not to disturb a healthy owner: only an expired or released lease, or one's own, is worth
// waiting for.
constexpr Statement peek{"lease_peek", R"sql(
SELECT owner_node, fencing_token, acquired_at, expires_at, clock_timestamp()
FROM submitter_lease
WHERE submitter = $1
)sql"};

// Of two nodes that insert concurrently, one gets the row; the other waits here and finds it below.
constexpr Statement insert_lease{"lease_insert", R"sql(
INSERT INTO submitter_lease (submitter, owner_node, fencing_token, acquired_at, expires_at, updated_at)
VALUES ($1, $2, 1, clock_timestamp(), clock_timestamp() + $3, clock_timestamp())
ON CONFLICT (submitter) DO NOTHING
RETURNING fencing_token
)sql"};

// Waits for an owner's write in progress: it commits before this read, or it finds the row changed.
constexpr Statement lock_lease{"lease_lock", R"sql(
SELECT owner_node, fencing_token, acquired_at, expires_at, clock_timestamp()
FROM submitter_lease
WHERE submitter = $1
FOR NO KEY UPDATE
)sql"};

constexpr Statement take_lease{"lease_take", R"sql(
UPDATE submitter_lease
SET owner_node = $2,
    fencing_token = $3,
    acquired_at = CASE WHEN $4 THEN acquired_at ELSE clock_timestamp() END,
    expires_at = clock_timestamp() + $5,
    updated_at = clock_timestamp()
WHERE submitter = $1
)sql"};

// Locks rows in one order and waits for none: a stalled submitter must not cost the others their leases (failures 21,
// 22).
constexpr Statement renew_leases{"lease_renew", R"sql(
WITH locked AS MATERIALIZED (
    SELECT l.submitter
    FROM submitter_lease l
    JOIN unnest($1::text[], $2::text[], $3::bigint[]) AS c (submitter, node, token)
        ON c.submitter = l.submitter AND c.node = l.owner_node AND c.token = l.fencing_token
    WHERE l.expires_at > clock_timestamp()
    ORDER BY l.submitter
    FOR NO KEY UPDATE OF l SKIP LOCKED
)
UPDATE submitter_lease l
SET expires_at = clock_timestamp() + $4, updated_at = clock_timestamp()
FROM locked
WHERE l.submitter = locked.submitter
RETURNING l.submitter
)sql"};

// For leases that were not renewed: still owned and unexpired means that the row was locked.
constexpr Statement still_held{"lease_still_held", R"sql(
SELECT l.submitter
FROM submitter_lease l
JOIN unnest($1::text[], $2::text[], $3::bigint[]) AS c (submitter, node, token)
    ON c.submitter = l.submitter AND c.node = l.owner_node AND c.token = l.fencing_token
WHERE l.expires_at > clock_timestamp()
)sql"};

// Keeps row and token: tokens must never restart (failure 34).
constexpr Statement release_leases{"lease_release", R"sql(
WITH locked AS MATERIALIZED (
    SELECT l.submitter
    FROM submitter_lease l
    JOIN unnest($1::text[], $2::text[], $3::bigint[]) AS c (submitter, node, token)
        ON c.submitter = l.submitter AND c.node = l.owner_node AND c.token = l.fencing_token
    ORDER BY l.submitter
    FOR NO KEY UPDATE OF l
)
UPDATE submitter_lease l
SET expires_at = '-infinity', updated_at = clock_timestamp()
FROM locked
WHERE l.submitter = locked.submitter
)sql"};

// A client that stalls in a pipeline before its Sync holds its locks past every session timeout (failure 20). Another
// node's takeover queued before ours blocks us as well, so only a session that waits for no other is terminated. All
// are judged (the ARRAY) before the first termination, which would unblock the next.
constexpr Statement terminate_blockers{"lease_evict", R"sql(
WITH RECURSIVE blocker (pid) AS (
    SELECT unnest(pg_blocking_pids($1::int))
    UNION
    SELECT next.pid
    FROM blocker b, unnest(pg_blocking_pids(b.pid)) AS next (pid)
)
SELECT pg_terminate_backend(a.pid)
FROM pg_stat_activity a
WHERE a.usename = current_user
  AND a.pid = ANY (ARRAY(SELECT b.pid FROM blocker b WHERE cardinality(pg_blocking_pids(b.pid)) = 0))
)sql"};

Lease lease_from(const Rows& rows) {
    return {NodeId(rows.text(0, 0)), FenceToken(static_cast<std::uint64_t>(rows.integer(0, 1))), rows.time(0, 2),
            rows.time(0, 3)};
}

Params claims_of(const std::vector<LeaseClaim>& claims) {
    std::vector<std::optional<std::string>> submitters;
    std::vector<std::optional<std::string>> nodes;
    std::vector<std::optional<std::int64_t>> tokens;
    for (const auto& claim : claims) {
        submitters.emplace_back(claim.submitter.to_string());
        nodes.emplace_back(claim.fence.node.value());
        tokens.emplace_back(static_cast<std::int64_t>(claim.fence.token.value()));
    }
    return Params().add(submitters).add(nodes).add(tokens);
}

std::set<std::string> names(const Rows& rows) {
    std::set<std::string> result;
    for (std::size_t row = 0; row < rows.size(); ++row)
        result.insert(rows.text(row, 0));
    return result;
}

}  // namespace

Task<void> PostgresStore::evict_blockers(int blocked_backend) {
    for (;;) {
        co_await clock_.sleep_for(options_.evict_after);
        std::ignore = co_await run(Query{&terminate_blockers, Params().add(std::int64_t{blocked_backend})});
    }
}

Task<Result<OpenAnswer, StoreError>> PostgresStore::open(SubmitterId submitter, NodeId node, Duration duration) {
    using namespace asio::experimental::awaitable_operators;
    const auto& name = submitter.to_string();
    const auto seen = co_await run(Query{&peek, Params().add(name)});
    if (!seen) co_return err(seen.error());
    if (seen->size() == 1) {
        const auto change = open_lease(lease_from(*seen), node, seen->time(0, 4), duration);
        if (change.result == LeaseResult::not_owner) co_return OpenAnswer{LeaseResult::not_owner, std::nullopt};
    }

    auto connection = co_await openings_->take();
    if (!connection) co_return err(to_store_error(connection.error()));
    auto& session = **connection;
    auto locking = co_await (session.begin({{&insert_lease, Params().add(name).add(node.value()).add(duration)},
                                            {&lock_lease, Params().add(name)}}) ||
                             evict_blockers(session.backend_pid()));
    auto& locked = std::get<0>(locking);
    if (!locked) co_return err(to_store_error(locked.error()));
    if (locked->at(0).size() == 1) {
        const auto done = co_await session.commit({});
        if (!done) co_return err(to_store_error(done.error()));
        co_return OpenAnswer{LeaseResult::inserted, Fence{node, FenceToken(1)}};
    }

    const auto change = open_lease(lease_from(locked->at(1)), node, locked->at(1).time(0, 4), duration);
    if (change.result == LeaseResult::not_owner) {
        std::ignore = co_await session.rollback();
        co_return OpenAnswer{LeaseResult::not_owner, std::nullopt};
    }
    const auto token = change.lease->token;
    const auto taken = co_await session.commit({{&take_lease, Params()
                                                                  .add(name)
                                                                  .add(node.value())
                                                                  .add(static_cast<std::int64_t>(token.value()))
                                                                  .add(change.result == LeaseResult::reopened)
                                                                  .add(duration)}});
    if (!taken) co_return err(to_store_error(taken.error()));
    co_return OpenAnswer{change.result, Fence{node, token}};
}

Task<Result<std::vector<LeaseResult>, StoreError>> PostgresStore::renew(std::vector<LeaseClaim> claims,
                                                                        Duration duration) {
    std::vector<Query> queries{{&renew_leases, claims_of(claims).add(duration)}, {&still_held, claims_of(claims)}};
    const auto rows = co_await run_on(priority_.get(), std::move(queries));
    if (!rows) co_return err(rows.error());
    const auto renewed = names(rows->at(0));
    const auto held = names(rows->at(1));
    std::vector<LeaseResult> results;
    for (const auto& claim : claims) {
        const auto& name = claim.submitter.to_string();
        results.push_back(renewed.contains(name) ? LeaseResult::renewed
                          : held.contains(name)  ? LeaseResult::busy
                                                 : LeaseResult::not_owner);
    }
    co_return results;
}

Task<Status<StoreError>> PostgresStore::release(std::vector<LeaseClaim> claims) {
    const auto rows = co_await run(Query{&release_leases, claims_of(claims)});
    if (!rows) co_return err(rows.error());
    co_return Status<StoreError>{};
}

}  // namespace fencepost::store
