// Relaxed mode's nonces on PostgreSQL: fenced like a lane's writes, one submitter at a time.
#include "store/postgres/pg_pool.hpp"
#include "store/postgres/pg_store_error.hpp"
#include "store/postgres/postgres_store.hpp"
#include "store/postgres/row_reading.hpp"
#include "store/postgres/write_statements.hpp"
#include "store/text_check.hpp"

namespace fencepost::store {
namespace {

using pg::Params;
using pg::Query;
using pg::Rows;
using pg::Statement;

// What has a hash may be anywhere, and never times out: given out again, one nonce would have two transactions. What a
// lane signs it puts on record with the hash; what an earlier opening's did not is not waited for.
constexpr Statement recycle_overdue{"relaxed_recycle", R"sql(
UPDATE submitter_nonce_allocation
SET status = 'RECYCLABLE', reason = 'reservation timed out', fencing_token = $2, updated_at = clock_timestamp()
WHERE submitter = $1 AND status = 'RESERVED' AND tx_hash IS NULL
  AND (locked_until <= clock_timestamp() OR (lock_owner = $3 AND fencing_token < $2))
)sql"};

// What lies below the chain's count of mined ones was used by somebody: it can never be reused.
constexpr Statement retire_consumed{"relaxed_retire", R"sql(
UPDATE submitter_nonce_allocation
SET status = 'USED', reason = 'retired: below the chain''s count', fencing_token = $2, updated_at = clock_timestamp()
WHERE submitter = $1 AND status = 'RECYCLABLE' AND nonce < $3
)sql"};

// Not one that somebody's transaction waits at in a mempool: it would replace it, or be refused.
constexpr Statement smallest_recyclable{"relaxed_smallest", R"sql(
SELECT min(nonce)
FROM submitter_nonce_allocation
WHERE submitter = $1 AND status = 'RECYCLABLE' AND nonce >= $2
)sql"};

constexpr Statement read_state{"relaxed_state", R"sql(
SELECT next_local_nonce
FROM submitter_nonce_state
WHERE submitter = $1
)sql"};

// What was not heard of the chain this time does not undo what was heard before.
constexpr Statement write_state{"relaxed_advance", R"sql(
INSERT INTO submitter_nonce_state AS s (submitter, next_local_nonce, last_chain_nonce, fencing_token, updated_at)
VALUES ($1, $2, $3, $4, clock_timestamp())
ON CONFLICT (submitter) DO UPDATE
SET next_local_nonce = excluded.next_local_nonce,
    last_chain_nonce = greatest(s.last_chain_nonce, excluded.last_chain_nonce),
    fencing_token = excluded.fencing_token, updated_at = excluded.updated_at
)sql"};

// Takes a recyclable nonce or a new one. A nonce that is RESERVED or USED is never taken, under whatever token.
constexpr Statement reserve_nonce{"relaxed_reserve", R"sql(
INSERT INTO submitter_nonce_allocation AS a (submitter, nonce, status, lock_owner, locked_until, fencing_token)
VALUES ($1, $2, 'RESERVED', $3, clock_timestamp() + $4, $5)
ON CONFLICT (submitter, nonce) DO UPDATE
SET status = 'RESERVED', lock_owner = excluded.lock_owner, locked_until = excluded.locked_until,
    tx_hash = NULL, reason = '', fencing_token = excluded.fencing_token, updated_at = clock_timestamp()
WHERE a.status = 'RECYCLABLE'
)sql"};

constexpr Statement finish_reservation{"relaxed_finish", R"sql(
UPDATE submitter_nonce_allocation
SET status = $4, tx_hash = $5::bytea, reason = $6, fencing_token = $7, updated_at = clock_timestamp()
WHERE submitter = $1 AND nonce = $2 AND lock_owner = $3 AND status = 'RESERVED'
)sql"};

// A used one comes back only by the hash that used it, which a fork took out; a retired one has none.
constexpr Statement put_in_flight{"relaxed_in_flight", R"sql(
UPDATE submitter_nonce_allocation
SET status = 'RESERVED', tx_hash = $4::bytea, reason = '', fencing_token = $5, updated_at = clock_timestamp()
WHERE submitter = $1 AND nonce = $2 AND lock_owner = $3
  AND (status = 'RESERVED' OR (status = 'USED' AND tx_hash = $4::bytea))
)sql"};

constexpr Statement count_allocations{"relaxed_counts", R"sql(
SELECT count(*) FILTER (WHERE status = 'RESERVED' AND tx_hash IS NULL),
       count(*) FILTER (WHERE status = 'RESERVED' AND tx_hash IS NOT NULL),
       count(*) FILTER (WHERE status = 'USED'),
       count(*) FILTER (WHERE status = 'RECYCLABLE')
FROM submitter_nonce_allocation
WHERE submitter = $1
)sql"};

constexpr Statement find_lowest_recyclable{"relaxed_lowest", R"sql(
SELECT min(nonce)
FROM submitter_nonce_allocation
WHERE submitter = $1 AND nonce >= $2
  AND (status = 'RECYCLABLE'
       OR (status = 'RESERVED' AND tx_hash IS NULL
           AND (locked_until <= clock_timestamp()
                OR (lock_owner = $3
                    AND fencing_token < (SELECT l.fencing_token FROM submitter_lease l WHERE l.submitter = $1)))))
)sql"};

std::int64_t signed_of(std::uint64_t value) { return static_cast<std::int64_t>(value); }

Params lease_of(const SubmitterId& submitter) {
    return Params().add(std::vector<std::optional<std::string>>{submitter.to_string()});
}

Params allocation_of(const SubmitterId& submitter, Nonce nonce, const LockOwner& owner) {
    return Params().add(submitter.to_string()).add(signed_of(nonce.value())).add(owner.value());
}

WriteAnswer judge(const Rows& locked, const Rows& all, const Fence& fence) {
    const auto holds = [&fence](const Rows& rows) {
        return rows.size() == 1 && rows.text(0, 1) == fence.node.value() &&
               unsigned_at(rows, 0, 2) == fence.token.value() && rows.boolean(0, 3);
    };
    if (holds(locked)) return WriteAnswer::applied;
    return locked.size() == 0 && holds(all) ? WriteAnswer::busy : WriteAnswer::fenced;
}

}  // namespace

Task<Result<Reservation, StoreError>> PostgresStore::reserve(SubmitterId submitter, Fence fence, LockOwner owner,
                                                             NonceBounds bounds, Duration timeout) {
    const auto& name = submitter.to_string();
    const auto token = signed_of(fence.token.value());
    auto connection = co_await pool_->take();
    if (!connection) co_return err(to_store_error(connection.error()));
    auto& session = **connection;

    const auto seen = co_await session.begin(
        {{&statement::lock_leases, lease_of(submitter)}, {&statement::read_leases, lease_of(submitter)}});
    if (!seen) co_return err(to_store_error(seen.error()));
    if (const auto answer = judge(seen->at(0), seen->at(1), fence); answer != WriteAnswer::applied) {
        std::ignore = co_await session.rollback();
        co_return Reservation{.answer = answer};
    }
    const auto mined = signed_of(bounds.mined.value());
    const auto pending = signed_of(bounds.pending.value());
    const auto found = co_await session.more({{&recycle_overdue, Params().add(name).add(token).add(lane_owner.value())},
                                              {&retire_consumed, Params().add(name).add(token).add(mined)},
                                              {&smallest_recyclable, Params().add(name).add(pending)},
                                              {&read_state, Params().add(name)}});
    if (!found) co_return err(to_store_error(found.error()));

    const auto& recyclable = found->at(2);
    const auto local = found->at(3).size() == 1 ? found->at(3).integer(0, 0) : 0;
    const bool reused = !recyclable.is_null(0, 0);
    const auto fresh = std::max(local, signed_of(bounds.next.value()));
    const auto nonce = reused ? recyclable.integer(0, 0) : fresh;
    const auto next = reused ? fresh : fresh + 1;
    const auto done = co_await session.commit(
        {{&reserve_nonce, Params().add(name).add(nonce).add(owner.value()).add(timeout).add(token)},
         {&write_state, Params().add(name).add(next).add(pending).add(token)}});
    if (!done) co_return err(to_store_error(done.error()));
    co_return Reservation{.answer = WriteAnswer::applied, .nonce = Nonce(static_cast<std::uint64_t>(nonce))};
}

Task<Result<WriteAnswer, StoreError>> PostgresStore::mark_allocation(SubmitterId submitter, Fence fence,
                                                                     pg::Query update) {
    auto connection = co_await pool_->take();
    if (!connection) co_return err(to_store_error(connection.error()));
    auto& session = **connection;
    const auto seen = co_await session.begin(
        {{&statement::lock_leases, lease_of(submitter)}, {&statement::read_leases, lease_of(submitter)}});
    if (!seen) co_return err(to_store_error(seen.error()));
    if (const auto answer = judge(seen->at(0), seen->at(1), fence); answer != WriteAnswer::applied) {
        std::ignore = co_await session.rollback();
        co_return answer;
    }
    const auto done = co_await session.commit({std::move(update)});
    if (!done) co_return err(to_store_error(done.error()));
    co_return done->at(0).affected() == 1 ? WriteAnswer::applied : WriteAnswer::conflict;
}

Task<Result<WriteAnswer, StoreError>> PostgresStore::mark_in_flight(SubmitterId submitter, Fence fence, LockOwner owner,
                                                                    Nonce nonce, TxHash hash) {
    auto params = allocation_of(submitter, nonce, owner).add(hash.view()).add(signed_of(fence.token.value()));
    return mark_allocation(std::move(submitter), std::move(fence), {&put_in_flight, std::move(params)});
}

Task<Result<WriteAnswer, StoreError>> PostgresStore::mark_used(SubmitterId submitter, Fence fence, LockOwner owner,
                                                               Nonce nonce, TxHash hash) {
    auto params = allocation_of(submitter, nonce, owner)
                      .add(name_of(AllocationStatus::used))
                      .add(hash.view())
                      .add("")
                      .add(signed_of(fence.token.value()));
    return mark_allocation(std::move(submitter), std::move(fence), {&finish_reservation, std::move(params)});
}

Task<Result<WriteAnswer, StoreError>> PostgresStore::mark_recyclable(SubmitterId submitter, Fence fence,
                                                                     LockOwner owner, Nonce nonce, std::string reason) {
    auto params = allocation_of(submitter, nonce, owner)
                      .add(name_of(AllocationStatus::recyclable))
                      .add_null()
                      .add(storable(reason))
                      .add(signed_of(fence.token.value()));
    return mark_allocation(std::move(submitter), std::move(fence), {&finish_reservation, std::move(params)});
}

Task<Result<Alignment, StoreError>> PostgresStore::align(SubmitterId submitter, Fence fence, Nonce chain_next) {
    const auto& name = submitter.to_string();
    auto connection = co_await pool_->take();
    if (!connection) co_return err(to_store_error(connection.error()));
    auto& session = **connection;
    const auto seen = co_await session.begin({{&statement::lock_leases, lease_of(submitter)},
                                              {&statement::read_leases, lease_of(submitter)},
                                              {&read_state, Params().add(name)}});
    if (!seen) co_return err(to_store_error(seen.error()));
    if (const auto answer = judge(seen->at(0), seen->at(1), fence); answer != WriteAnswer::applied) {
        std::ignore = co_await session.rollback();
        co_return Alignment{.answer = answer};
    }
    const auto chain = signed_of(chain_next.value());
    const auto before = seen->at(2).size() == 1 ? seen->at(2).integer(0, 0) : 0;
    const auto after = std::max(before, chain);
    const auto done = co_await session.commit(
        {{&write_state, Params().add(name).add(after).add(chain).add(signed_of(fence.token.value()))}});
    if (!done) co_return err(to_store_error(done.error()));
    co_return Alignment{.answer = WriteAnswer::applied,
                        .before = Nonce(static_cast<std::uint64_t>(before)),
                        .after = Nonce(static_cast<std::uint64_t>(after))};
}

Task<Result<AllocationCounts, StoreError>> PostgresStore::allocations(SubmitterId submitter) {
    const auto rows = co_await run(Query{&count_allocations, Params().add(submitter.to_string())});
    if (!rows) co_return err(rows.error());
    co_return AllocationCounts{unsigned_at(*rows, 0, 0), unsigned_at(*rows, 0, 1), unsigned_at(*rows, 0, 2),
                               unsigned_at(*rows, 0, 3)};
}

Task<Result<std::optional<Nonce>, StoreError>> PostgresStore::lowest_recyclable(SubmitterId submitter, Nonce from) {
    const auto rows =
        co_await run(Query{&find_lowest_recyclable,
                           Params().add(submitter.to_string()).add(signed_of(from.value())).add(lane_owner.value())});
    if (!rows) co_return err(rows.error());
    if (rows->is_null(0, 0)) co_return std::nullopt;
    co_return nonce_at(*rows, 0, 0);
}

}  // namespace fencepost::store
