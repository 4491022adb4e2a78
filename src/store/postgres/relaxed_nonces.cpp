// Nonces of relaxed mode on PostgreSQL: fenced like a lane's writes, one submitter at a time.
#include "store/postgres/connection/pg_pool.hpp"
#include "store/postgres/connection/pg_store_error.hpp"
#include "store/postgres/postgres_store.hpp"
#include "store/postgres/relaxed_statements.hpp"
#include "store/postgres/row_reading.hpp"
#include "store/postgres/write_statements.hpp"
#include "store/retirement.hpp"
#include "store/text_check.hpp"

namespace fencepost::store {
namespace {

using pg::Params;
using pg::Query;
using pg::Rows;

std::int64_t signed_of(std::uint64_t value) { return static_cast<std::int64_t>(value); }

Params lease_of(const SubmitterId& submitter) {
    return Params().add(std::vector<std::optional<std::string>>{submitter.to_string()});
}

Params allocation_of(const SubmitterId& submitter, Nonce nonce, const LockOwner& owner) {
    return Params().add(submitter.to_string()).add(signed_of(nonce.value())).add(owner.value());
}

Params state_of(const std::string& submitter, std::int64_t next, Nonce chain, const Fence& fence, Nonce retired_below) {
    return Params()
        .add(submitter)
        .add(next)
        .add(signed_of(chain.value()))
        .add(signed_of(fence.token.value()))
        .add(signed_of(retired_below.value()));
}

Params range_of(const std::string& submitter, Nonce from, Nonce below) {
    return Params()
        .add(submitter)
        .add(signed_of(from.value()))
        .add(signed_of(below.value()))
        .add(signed_of(max_retired_per_write));
}

NonceRecord record_of(const Rows& rows) {
    return {.next = nonce_at(rows, 0, 0),
            .watch_from = nonce_at(rows, 0, 1),
            .retired_below = nonce_at(rows, 0, 2),
            .oldest = rows.is_null(0, 3) ? std::nullopt : std::optional(nonce_at(rows, 0, 3))};
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

    const auto seen = co_await session.begin({{&statement::lock_leases, lease_of(submitter)},
                                              {&statement::read_leases, lease_of(submitter)},
                                              {&statement::read_record, Params().add(name)}});
    if (!seen) co_return err(to_store_error(seen.error()));
    if (const auto answer = judge(seen->at(0), seen->at(1), fence); answer != WriteAnswer::applied) {
        std::ignore = co_await session.rollback();
        co_return Reservation{.answer = answer};
    }
    const auto record = record_of(seen->at(2));
    const auto retired = next_retired_below(record);
    const auto consumed = signed_of(record.watch_from.value());
    const auto found = co_await session.more(
        {{&statement::recycle_overdue, Params().add(name).add(token).add(lane_owner.value())},
         {&statement::retire_consumed, Params().add(name).add(token).add(consumed)},
         {&statement::delete_retired, range_of(name, record.retired_below, retired)},
         {&statement::smallest_recyclable, Params().add(name).add(signed_of(bounds.pending.value()))}});
    if (!found) co_return err(to_store_error(found.error()));

    const auto& recyclable = found->at(3);
    const bool reused = !recyclable.is_null(0, 0);
    const auto fresh = std::max(signed_of(record.next.value()), signed_of(bounds.next.value()));
    const auto nonce = reused ? recyclable.integer(0, 0) : fresh;
    const auto next = reused ? fresh : fresh + 1;
    const auto done = co_await session.commit(
        {{&statement::reserve_nonce, Params().add(name).add(nonce).add(owner.value()).add(timeout).add(token)},
         {&statement::write_state, state_of(name, next, bounds.pending, fence, retired)}});
    if (!done) co_return err(to_store_error(done.error()));
    // An external system has taken this nonce. The count has passed it: the next call gets another one.
    if (done->at(0).affected() != 1) co_return Reservation{.answer = WriteAnswer::conflict};
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
    return mark_allocation(std::move(submitter), std::move(fence), {&statement::put_in_flight, std::move(params)});
}

Task<Result<WriteAnswer, StoreError>> PostgresStore::mark_used(SubmitterId submitter, Fence fence, LockOwner owner,
                                                               Nonce nonce, TxHash hash) {
    auto params = allocation_of(submitter, nonce, owner)
                      .add(name_of(AllocationStatus::used))
                      .add(hash.view())
                      .add("")
                      .add(signed_of(fence.token.value()));
    return mark_allocation(std::move(submitter), std::move(fence), {&statement::finish_reservation, std::move(params)});
}

Task<Result<WriteAnswer, StoreError>> PostgresStore::mark_recyclable(SubmitterId submitter, Fence fence,
                                                                     LockOwner owner, Nonce nonce, std::string reason) {
    auto params = allocation_of(submitter, nonce, owner)
                      .add(name_of(AllocationStatus::recyclable))
                      .add_null()
                      .add(storable(reason))
                      .add(signed_of(fence.token.value()));
    return mark_allocation(std::move(submitter), std::move(fence), {&statement::finish_reservation, std::move(params)});
}

Task<Result<Alignment, StoreError>> PostgresStore::align(SubmitterId submitter, Fence fence, Nonce chain_next) {
    const auto& name = submitter.to_string();
    auto connection = co_await pool_->take();
    if (!connection) co_return err(to_store_error(connection.error()));
    auto& session = **connection;
    const auto seen = co_await session.begin({{&statement::lock_leases, lease_of(submitter)},
                                              {&statement::read_leases, lease_of(submitter)},
                                              {&statement::read_state, Params().add(name)}});
    if (!seen) co_return err(to_store_error(seen.error()));
    if (const auto answer = judge(seen->at(0), seen->at(1), fence); answer != WriteAnswer::applied) {
        std::ignore = co_await session.rollback();
        co_return Alignment{.answer = answer};
    }
    const bool known = seen->at(2).size() == 1;
    const auto before = known ? seen->at(2).integer(0, 0) : 0;
    const auto retired = known ? nonce_at(seen->at(2), 0, 1) : Nonce(0);
    const auto after = std::max(before, signed_of(chain_next.value()));
    const auto done =
        co_await session.commit({{&statement::delete_retired, range_of(name, Nonce(0), retired)},
                                 {&statement::write_state, state_of(name, after, chain_next, fence, retired)}});
    if (!done) co_return err(to_store_error(done.error()));
    co_return Alignment{.answer = WriteAnswer::applied,
                        .before = Nonce(static_cast<std::uint64_t>(before)),
                        .after = Nonce(static_cast<std::uint64_t>(after))};
}

Task<Result<AllocationCounts, StoreError>> PostgresStore::allocations(SubmitterId submitter) {
    const auto rows = co_await run(Query{&statement::count_allocations, Params().add(submitter.to_string())});
    if (!rows) co_return err(rows.error());
    co_return AllocationCounts{unsigned_at(*rows, 0, 0), unsigned_at(*rows, 0, 1), unsigned_at(*rows, 0, 2),
                               unsigned_at(*rows, 0, 3)};
}

Task<Result<std::optional<Nonce>, StoreError>> PostgresStore::lowest_recyclable(SubmitterId submitter, Nonce from) {
    const auto rows =
        co_await run(Query{&statement::find_lowest_recyclable,
                           Params().add(submitter.to_string()).add(signed_of(from.value())).add(lane_owner.value())});
    if (!rows) co_return err(rows.error());
    if (rows->is_null(0, 0)) co_return std::nullopt;
    co_return nonce_at(*rows, 0, 0);
}

}  // namespace fencepost::store
