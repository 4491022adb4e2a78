// Nonces of shared keys, on SQLite. Each method is one transaction of the one writer, under the submitter's fence: two
// callers cannot be given one nonce between its choice and its reservation.
#include <algorithm>

#include "store/sqlite/lease_rows.hpp"
#include "store/sqlite/sqlite_engine.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace fencepost::store {
namespace {

using namespace sqlite;

struct Wish {
    LockOwner owner;
    NonceBounds bounds;
    Duration timeout;
};

// What has a hash may be anywhere, and never times out: given out again, one nonce would have two transactions. What a
// lane signs it puts on record with the hash; what an earlier opening's did not is not waited for.
void recycle_overdue(Database& database, const HeldFence& held) {
    database.run(R"sql(
UPDATE submitter_nonce_allocation
SET status = 'RECYCLABLE', reason = 'not used in time', fencing_token = :token, updated_at = :now
WHERE submitter = :submitter AND status = 'RESERVED' AND tx_hash IS NULL
  AND (locked_until <= :now OR (lock_owner = :lane AND fencing_token < :token))
)sql",
                 held.fence.token, held.now, held.submitter, lane_owner);
}

// The chain has consumed them, whoever's they were: given out again, they would only be refused.
void retire_consumed(Database& database, const HeldFence& held, Nonce mined) {
    database.run(R"sql(
UPDATE submitter_nonce_allocation
SET status = 'USED', reason = 'retired: below the chain''s count', fencing_token = :token, updated_at = :now
WHERE submitter = :submitter AND status = 'RECYCLABLE' AND nonce < :mined
)sql",
                 held.fence.token, held.now, held.submitter, mined);
}

// Not one that somebody's transaction waits at in a mempool: it would replace it, or be refused.
std::optional<Nonce> smallest_recyclable(Database& database, const SubmitterId& submitter, Nonce pending) {
    return find_value<Nonce>(database, R"sql(
SELECT nonce
FROM submitter_nonce_allocation
WHERE submitter = :submitter AND status = 'RECYCLABLE' AND nonce >= :pending
ORDER BY nonce
LIMIT 1
)sql",
                             submitter, pending);
}

Nonce next_local(Database& database, const SubmitterId& submitter) {
    return find_value<Nonce>(
               database, "SELECT next_local_nonce FROM submitter_nonce_state WHERE submitter = :submitter", submitter)
        .value_or(Nonce(0));
}

// What was not heard of the chain this time does not undo what was heard before.
void put_state(Database& database, const HeldFence& held, Nonce next, Nonce chain_next) {
    database.run(R"sql(
INSERT INTO submitter_nonce_state (submitter, next_local_nonce, last_chain_nonce, fencing_token, updated_at)
VALUES (:submitter, :next, :chain_next, :token, :now)
ON CONFLICT (submitter) DO UPDATE
SET next_local_nonce = excluded.next_local_nonce,
    last_chain_nonce = max(last_chain_nonce, excluded.last_chain_nonce),
    fencing_token = excluded.fencing_token,
    updated_at = excluded.updated_at
)sql",
                 held.submitter, next, chain_next, held.fence.token, held.now);
}

// A row that is there is recyclable: its next owner takes it over, and a late mark of the last one no longer matches.
void put_reservation(Database& database, const HeldFence& held, Nonce nonce, const Wish& wish) {
    const auto locked_until = held.now + std::chrono::floor<std::chrono::microseconds>(wish.timeout);
    database.run(R"sql(
INSERT INTO submitter_nonce_allocation
    (submitter, nonce, status, lock_owner, locked_until, fencing_token, created_at, updated_at)
VALUES (:submitter, :nonce, 'RESERVED', :owner, :locked_until, :token, :now, :now)
ON CONFLICT (submitter, nonce) DO UPDATE
SET status = excluded.status,
    lock_owner = excluded.lock_owner,
    locked_until = excluded.locked_until,
    tx_hash = NULL,
    reason = '',
    fencing_token = excluded.fencing_token,
    updated_at = excluded.updated_at
)sql",
                 held.submitter, nonce, wish.owner, locked_until, held.fence.token, held.now);
}

Reservation reserve_nonce(Database& database, const SubmitterId& submitter, const Fence& fence, const Wish& wish) {
    const auto held = hold(database, submitter, fence);
    if (!held) return {WriteAnswer::fenced, std::nullopt};
    recycle_overdue(database, *held);
    retire_consumed(database, *held, wish.bounds.mined);

    const auto next = std::max(next_local(database, submitter), wish.bounds.next);
    const auto recycled = smallest_recyclable(database, submitter, wish.bounds.pending);
    put_state(database, *held, recycled ? next : next.next(), wish.bounds.pending);
    const auto nonce = recycled.value_or(next);
    put_reservation(database, *held, nonce, wish);
    renew_past_half(database, *held);
    return {WriteAnswer::applied, nonce};
}

struct Mark {
    AllocationStatus status;
    std::optional<TxHash> hash;
    std::string reason;
};

// The owner is compared in the statement that marks: a caller whose reservation was recycled meanwhile comes too late.
WriteAnswer mark(Database& database, const LeaseClaim& claim, const LockOwner& owner, Nonce nonce, const Mark& mark) {
    const auto held = hold(database, claim.submitter, claim.fence);
    if (!held) return WriteAnswer::fenced;
    const auto changed =
        database.run(R"sql(
UPDATE submitter_nonce_allocation
SET status = :status, tx_hash = :hash, reason = :reason, fencing_token = :token, updated_at = :now
WHERE submitter = :submitter AND nonce = :nonce AND status = 'RESERVED' AND lock_owner = :owner
)sql",
                     mark.status, mark.hash, mark.reason, held->fence.token, held->now, claim.submitter, nonce, owner);
    if (changed == 0) return WriteAnswer::conflict;
    renew_past_half(database, *held);
    return WriteAnswer::applied;
}

// A used one comes back only by the hash that used it, which a fork took out; a retired one has none.
WriteAnswer put_in_flight(Database& database, const LeaseClaim& claim, const LockOwner& owner, Nonce nonce,
                          const TxHash& hash) {
    const auto held = hold(database, claim.submitter, claim.fence);
    if (!held) return WriteAnswer::fenced;
    const auto changed = database.run(R"sql(
UPDATE submitter_nonce_allocation
SET status = 'RESERVED', tx_hash = :hash, reason = '', fencing_token = :token, updated_at = :now
WHERE submitter = :submitter AND nonce = :nonce AND lock_owner = :owner
  AND (status = 'RESERVED' OR (status = 'USED' AND tx_hash = :hash))
)sql",
                                      hash, held->fence.token, held->now, claim.submitter, nonce, owner);
    if (changed == 0) return WriteAnswer::conflict;
    renew_past_half(database, *held);
    return WriteAnswer::applied;
}

Alignment align_state(Database& database, const LeaseClaim& claim, Nonce chain_next) {
    const auto held = hold(database, claim.submitter, claim.fence);
    if (!held) return {};
    const auto before = next_local(database, claim.submitter);
    const auto after = std::max(before, chain_next);
    put_state(database, *held, after, chain_next);
    renew_past_half(database, *held);
    return {WriteAnswer::applied, before, after};
}

AllocationCounts count_allocations(Database& database, const SubmitterId& submitter) {
    Query row(database, R"sql(
SELECT count(*) FILTER (WHERE status = 'RESERVED' AND tx_hash IS NULL),
       count(*) FILTER (WHERE status = 'RESERVED' AND tx_hash IS NOT NULL),
       count(*) FILTER (WHERE status = 'USED'),
       count(*) FILTER (WHERE status = 'RECYCLABLE')
FROM submitter_nonce_allocation
WHERE submitter = :submitter
)sql",
              submitter);
    FP_ASSERT(row.step());
    return {row.get<std::uint64_t>(0), row.get<std::uint64_t>(1), row.get<std::uint64_t>(2), row.get<std::uint64_t>(3)};
}

std::optional<Nonce> find_lowest_recyclable(Database& database, const SubmitterId& submitter, Nonce from) {
    return find_value<Nonce>(database, R"sql(
SELECT nonce
FROM submitter_nonce_allocation
WHERE submitter = :submitter AND nonce >= :from
  AND (status = 'RECYCLABLE'
       OR (status = 'RESERVED' AND tx_hash IS NULL
           AND (locked_until <= :now
                OR (lock_owner = :lane
                    AND fencing_token < (SELECT fencing_token FROM submitter_lease WHERE submitter = :submitter)))))
ORDER BY nonce
LIMIT 1
)sql",
                             submitter, from, database.now(), lane_owner);
}

}  // namespace

Task<Result<Reservation, StoreError>> SqliteStore::reserve(SubmitterId submitter, Fence fence, LockOwner owner,
                                                           NonceBounds bounds, Duration timeout) {
    return engine_->write([submitter = std::move(submitter), fence = std::move(fence),
                           wish = Wish{std::move(owner), bounds, timeout}](Database& database) {
        return reserve_nonce(database, submitter, fence, wish);
    });
}

Task<Result<WriteAnswer, StoreError>> SqliteStore::mark_in_flight(SubmitterId submitter, Fence fence, LockOwner owner,
                                                                  Nonce nonce, TxHash hash) {
    return engine_->write([claim = LeaseClaim{std::move(submitter), std::move(fence)}, owner = std::move(owner), nonce,
                           hash](Database& database) { return put_in_flight(database, claim, owner, nonce, hash); });
}

Task<Result<WriteAnswer, StoreError>> SqliteStore::mark_used(SubmitterId submitter, Fence fence, LockOwner owner,
                                                             Nonce nonce, TxHash hash) {
    return engine_->write([claim = LeaseClaim{std::move(submitter), std::move(fence)}, owner = std::move(owner), nonce,
                           used = Mark{AllocationStatus::used, hash, ""}](Database& database) {
        return mark(database, claim, owner, nonce, used);
    });
}

Task<Result<WriteAnswer, StoreError>> SqliteStore::mark_recyclable(SubmitterId submitter, Fence fence, LockOwner owner,
                                                                   Nonce nonce, std::string reason) {
    return engine_->write([claim = LeaseClaim{std::move(submitter), std::move(fence)}, owner = std::move(owner), nonce,
                           free = Mark{AllocationStatus::recyclable, std::nullopt, std::move(reason)}](
                              Database& database) { return mark(database, claim, owner, nonce, free); });
}

Task<Result<Alignment, StoreError>> SqliteStore::align(SubmitterId submitter, Fence fence, Nonce chain_next) {
    return engine_->write([claim = LeaseClaim{std::move(submitter), std::move(fence)}, chain_next](Database& database) {
        return align_state(database, claim, chain_next);
    });
}

Task<Result<AllocationCounts, StoreError>> SqliteStore::allocations(SubmitterId submitter) {
    return engine_->read(
        [submitter = std::move(submitter)](Database& database) { return count_allocations(database, submitter); });
}

Task<Result<std::optional<Nonce>, StoreError>> SqliteStore::lowest_recyclable(SubmitterId submitter, Nonce from) {
    return engine_->read([submitter = std::move(submitter), from](Database& database) {
        return find_lowest_recyclable(database, submitter, from);
    });
}

}  // namespace fencepost::store
