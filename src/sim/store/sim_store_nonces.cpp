// The nonces of shared keys on the simulated database: fenced writes to the same rows, outside the lanes' batches.
#include <memory>
#include <utility>

#include "sim/store/sim_store_calls.hpp"

namespace fencepost::sim {
namespace {

/// Runs the task and stores its full result; the database only sees the write's outcome.
template <typename T>
Task<Result<WriteAnswer, StoreError>> keep_answer(Task<Result<T, StoreError>> work, std::shared_ptr<T> kept) {
    auto answer = co_await std::move(work);
    if (!answer) co_return err(answer.error());
    *kept = *answer;
    co_return kept->answer;
}

}  // namespace

Task<Result<WriteAnswer, StoreError>> SimStore::write_outside_lane(LeaseClaim claim, SimDatabase::FencedWork work) {
    return ask<WriteAnswer>(Effect::write,
                            [claim = std::move(claim), work = std::move(work)](SimDatabase& database, CallPtr call) {
                                return database.write_outside_lane(std::move(call), claim, work);
                            });
}

Task<Result<Reservation, StoreError>> SimStore::reserve(SubmitterId submitter, Fence fence, LockOwner owner,
                                                        NonceBounds bounds, Duration timeout) {
    const auto kept = std::make_shared<Reservation>();
    const auto answer = co_await write_outside_lane({submitter, fence}, [=](Store& truth, const Fence& under) {
        return keep_answer(truth.reserve(submitter, under, owner, bounds, timeout), kept);
    });
    if (!answer) co_return err(answer.error());
    kept->answer = *answer;
    co_return *kept;
}

Task<Result<WriteAnswer, StoreError>> SimStore::mark_in_flight(SubmitterId submitter, Fence fence, LockOwner owner,
                                                               Nonce nonce, TxHash hash) {
    return write_outside_lane({submitter, fence}, [=](Store& truth, const Fence& under) {
        return truth.mark_in_flight(submitter, under, owner, nonce, hash);
    });
}

Task<Result<WriteAnswer, StoreError>> SimStore::mark_used(SubmitterId submitter, Fence fence, LockOwner owner,
                                                          Nonce nonce, TxHash hash) {
    return write_outside_lane({submitter, fence}, [=](Store& truth, const Fence& under) {
        return truth.mark_used(submitter, under, owner, nonce, hash);
    });
}

Task<Result<WriteAnswer, StoreError>> SimStore::mark_recyclable(SubmitterId submitter, Fence fence, LockOwner owner,
                                                                Nonce nonce, std::string reason) {
    return write_outside_lane({submitter, fence}, [=](Store& truth, const Fence& under) {
        return truth.mark_recyclable(submitter, under, owner, nonce, reason);
    });
}

Task<Result<Alignment, StoreError>> SimStore::align(SubmitterId submitter, Fence fence, Nonce chain_next) {
    const auto kept = std::make_shared<Alignment>();
    const auto answer = co_await write_outside_lane({submitter, fence}, [=](Store& truth, const Fence& under) {
        return keep_answer(truth.align(submitter, under, chain_next), kept);
    });
    if (!answer) co_return err(answer.error());
    kept->answer = *answer;
    co_return *kept;
}

Task<Result<AllocationCounts, StoreError>> SimStore::allocations(SubmitterId submitter) {
    return read<AllocationCounts>(
        [submitter = std::move(submitter)](Store& truth) { return truth.allocations(submitter); });
}

Task<Result<std::optional<Nonce>, StoreError>> SimStore::lowest_recyclable(SubmitterId submitter, Nonce from) {
    return read<std::optional<Nonce>>(
        [submitter = std::move(submitter), from](Store& truth) { return truth.lowest_recyclable(submitter, from); });
}

}  // namespace fencepost::sim
