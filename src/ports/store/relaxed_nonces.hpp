// Nonces of keys that are shared with other systems: reserved, then used or given back. Only relaxed mode and the
// low-level API use these; strict mode never gives a nonce back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "domain/lease.hpp"
#include "domain/submitter_id.hpp"
#include "domain/window/nonce_allocation.hpp"
#include "ports/store/lane_store.hpp"
#include "ports/store/store_error.hpp"

namespace fencepost {

/// What a choice of nonce rests on besides the database's own count.
struct NonceBounds {
    /// So many of the account's transactions are in blocks or wait in a mempool. A recyclable nonce below is taken for
    /// now, and may become free again: by an eviction, or by a reorg.
    Nonce pending{};
    /// A new nonce is not below it: what the chain says, and what this process has given out. Recyclable ones may be.
    Nonce next{};
};

struct Reservation {
    WriteAnswer answer = WriteAnswer::fenced;
    std::optional<Nonce> nonce{};  // when applied
};

/// Where the database's own count stood before and stands after, when applied.
struct Alignment {
    WriteAnswer answer = WriteAnswer::fenced;
    Nonce before{};
    Nonce after{};
};

struct AllocationCounts {
    std::uint64_t reserved = 0;   // not sent yet
    std::uint64_t in_flight = 0;  // RESERVED on record, with the hash of what may be anywhere
    std::uint64_t used = 0;       // and not finalized yet: those that are, are deleted
    std::uint64_t recyclable = 0;
};

/// What an implementation promises: every write is fenced like a lane's; two callers never hold one nonce; `conflict`
/// means that the lock owner does not match, or the nonce is not reserved. Used nonces below the lane's low-water mark
/// are deleted, a thousand at a time: they are finalized, so no fork brings them back, and none is given out again.
/// What a reservation costs does not grow with the nonces that were used.
class RelaxedNonces {
public:
    virtual ~RelaxedNonces() = default;

    /// Makes overdue reservations recyclable, then takes the smallest recyclable nonce that is not below
    /// `bounds.pending`, else advances max(state, lane's cursor, bounds.next). What a lane of an earlier opening
    /// reserved and did not put on record is overdue at once: its bytes never left.
    [[nodiscard]] virtual Task<Result<Reservation, StoreError>> reserve(SubmitterId submitter, Fence fence,
                                                                        LockOwner owner, NonceBounds bounds,
                                                                        Duration timeout) = 0;
    /// From now on bytes with this hash may be anywhere: the reservation has no time-out any more. To be committed
    /// before the first byte leaves (law 2). Takes back a nonce that was used by this owner's same hash, after a fork.
    [[nodiscard]] virtual Task<Result<WriteAnswer, StoreError>> mark_in_flight(SubmitterId submitter, Fence fence,
                                                                               LockOwner owner, Nonce nonce,
                                                                               TxHash hash) = 0;
    [[nodiscard]] virtual Task<Result<WriteAnswer, StoreError>> mark_used(SubmitterId submitter, Fence fence,
                                                                          LockOwner owner, Nonce nonce,
                                                                          TxHash hash) = 0;
    /// Also what was in flight: the caller is certain that nobody holds its bytes.
    [[nodiscard]] virtual Task<Result<WriteAnswer, StoreError>> mark_recyclable(SubmitterId submitter, Fence fence,
                                                                                LockOwner owner, Nonce nonce,
                                                                                std::string reason) = 0;
    /// Lifts the database's count to the chain's, and never lowers it. No allocation is touched, but used ones that are
    /// finalized and came too late for a reservation to delete them.
    [[nodiscard]] virtual Task<Result<Alignment, StoreError>> align(SubmitterId submitter, Fence fence,
                                                                    Nonce chain_next) = 0;
    [[nodiscard]] virtual Task<Result<AllocationCounts, StoreError>> allocations(SubmitterId submitter) = 0;
    /// The smallest nonce that is recyclable, or reserved and overdue, and not below `from`.
    [[nodiscard]] virtual Task<Result<std::optional<Nonce>, StoreError>> lowest_recyclable(SubmitterId submitter,
                                                                                           Nonce from) = 0;
};

}  // namespace fencepost
