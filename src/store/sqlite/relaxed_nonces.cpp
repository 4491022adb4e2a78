// Nonces of shared keys on SQLite. Each method is one transaction of the exclusive writer under the submitter's fence:
// no second caller can get the same nonce between its choice and its reservation.
#include <algorithm>

#include "base/assert.hpp"
#include "store/retirement.hpp"
#include "store/sqlite/engine/sqlite_engine.hpp"
#include "store/sqlite/lease_rows.hpp"
#include "store/sqlite/relaxed_statements.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace fencepost::store {
namespace {

using namespace sqlite;

struct ReservationRequest {
    LockOwner owner;
    NonceBounds bounds;
    Duration timeout;
};

NonceRecord record_of(Database& database, const SubmitterId& submitter) {
    Query row(database, statement::read_record, submitter);
    FP_ASSERT(row.step());
    return {.next = row.get<Nonce>(0),
            .watch_from = row.get<Nonce>(1),
            .retired_below = row.get<Nonce>(2),
            .oldest = row.is_null(3) ? std::nullopt : std::optional(row.get<Nonce>(3))};
}

// Recycles overdue nonces and deletes consumed final ones. Returns how far used rows are deleted.
Nonce recycle_and_retire(Database& database, const HeldFence& held, const NonceRecord& record) {
    database.run(statement::recycle_overdue, held.fence.token, held.now, held.submitter, lane_owner);
    database.run(statement::retire_consumed, held.fence.token, held.now, held.submitter, record.watch_from);
    const auto retired = next_retired_below(record);
    database.run(statement::delete_retired, held.submitter, record.retired_below, retired, max_retired_per_write);
    return retired;
}

struct NonceState {
    Nonce next{};
    Nonce retired_below{};
};

NonceState read_state(Database& database, const SubmitterId& submitter) {
    Query row(database,
              "SELECT next_local_nonce, retired_below FROM submitter_nonce_state WHERE submitter = :submitter",
              submitter);
    if (!row.step()) return {};
    return {row.get<Nonce>(0), row.get<Nonce>(1)};
}

// A count missing this time does not undo one recorded before.
void put_state(Database& database, const HeldFence& held, const NonceState& state, Nonce chain_next) {
    database.run(R"sql(
INSERT INTO submitter_nonce_state
    (submitter, next_local_nonce, last_chain_nonce, fencing_token, retired_below, updated_at)
VALUES (:submitter, :next, :chain_next, :token, :retired_below, :now)
ON CONFLICT (submitter) DO UPDATE
SET next_local_nonce = excluded.next_local_nonce,
    last_chain_nonce = max(last_chain_nonce, excluded.last_chain_nonce),
    retired_below = max(retired_below, excluded.retired_below),
    fencing_token = excluded.fencing_token,
    updated_at = excluded.updated_at
)sql",
                 held.submitter, state.next, chain_next, held.fence.token, state.retired_below, held.now);
}

// Takes a recyclable nonce or a new one: the new owner replaces the old, whose late marks no longer match. A RESERVED
// or USED nonce is never taken, under any token.
bool put_reservation(Database& database, const HeldFence& held, Nonce nonce, const ReservationRequest& request) {
    const auto locked_until = held.now + std::chrono::floor<std::chrono::microseconds>(request.timeout);
    const auto changed = database.run(R"sql(
INSERT INTO submitter_nonce_allocation AS a
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
WHERE a.status = 'RECYCLABLE'
)sql",
                                      held.submitter, nonce, request.owner, locked_until, held.fence.token, held.now);
    return changed == 1;
}

Reservation reserve_nonce(Database& database, const SubmitterId& submitter, const Fence& fence,
                          const ReservationRequest& request) {
    const auto held = hold(database, submitter, fence);
    if (!held) return {WriteAnswer::fenced, std::nullopt};
    const auto record = record_of(database, submitter);
    const auto retired = recycle_and_retire(database, *held, record);
    const auto fresh = std::max(record.next, request.bounds.next);
    const auto recycled =
        find_value<Nonce>(database, statement::smallest_recyclable, submitter, request.bounds.pending);
    put_state(database, *held, {recycled ? fresh : Nonce(fresh.next()), retired}, request.bounds.pending);
    const auto nonce = recycled.value_or(fresh);
    renew_past_half(database, *held);
    // An external system has taken this nonce. The count has passed it: the next call gets another one.
    if (!put_reservation(database, *held, nonce, request)) return {WriteAnswer::conflict, std::nullopt};
    return {WriteAnswer::applied, nonce};
}

struct Mark {
    AllocationStatus status;
    std::optional<TxHash> hash;
    std::string reason;
};

// Compares the owner in the updating statement: a caller whose reservation was recycled meanwhile comes too late.
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

// A used nonce returns only with the hash that used it and that a fork removed; a retired one has none, or no row.
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
    const auto [before, retired] = read_state(database, claim.submitter);
    const auto after = std::max(before, chain_next);
    database.run(statement::delete_retired, claim.submitter, Nonce(0), retired, max_retired_per_write);
    put_state(database, *held, {after, retired}, chain_next);
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

}  // namespace

Task<Result<Reservation, StoreError>> SqliteStore::reserve(SubmitterId submitter, Fence fence, LockOwner owner,
                                                           NonceBounds bounds, Duration timeout) {
    return engine_->write([submitter = std::move(submitter), fence = std::move(fence),
                           request = ReservationRequest{std::move(owner), bounds, timeout}](Database& database) {
        return reserve_nonce(database, submitter, fence, request);
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
        return find_value<Nonce>(database, statement::find_lowest_recyclable, submitter, from, database.now(),
                                 lane_owner);
    });
}

}  // namespace fencepost::store
