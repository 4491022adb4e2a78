// The port for nonces of keys that are shared with other systems: reserved, then used or released. Only relaxed mode
// and the low-level API use it; strict mode never releases a nonce.
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

/// Lower bounds for a nonce, besides the database's own count.
struct NonceBounds {
    /// The account's pending count. A recyclable nonce below it is currently taken, and may become free again by an
    /// eviction or a reorg.
    Nonce pending{};
    /// A new nonce is not below this: the chain's count and what this process has allocated. Recyclable ones may be.
    Nonce next{};
};

struct Reservation {
    WriteAnswer answer = WriteAnswer::fenced;
    std::optional<Nonce> nonce{};  // when applied
};

/// The database's count before and after, if applied.
struct Alignment {
    WriteAnswer answer = WriteAnswer::fenced;
    Nonce before{};
    Nonce after{};
};

struct AllocationCounts {
    std::uint64_t reserved = 0;   // reserved, not sent yet
    std::uint64_t in_flight = 0;  // recorded as RESERVED with the hash of bytes that may have been sent
    std::uint64_t used = 0;       // used and not finalized yet: finalized ones are deleted
    std::uint64_t recyclable = 0;
};

/// Contract: every write is fenced like a lane's; two callers never hold one nonce; `conflict` means that the lock
/// owner does not match, or the nonce is not reserved. Used nonces below the lane's low-water mark are deleted in
/// batches of a thousand: they are finalized, so no fork reverts them and none is allocated again. The cost of a
/// reservation does not grow with the number of used nonces.
class RelaxedNonces {
public:
    virtual ~RelaxedNonces() = default;

    /// Makes overdue reservations recyclable, then takes the smallest recyclable nonce that is not below
    /// `bounds.pending`, else advances max(state, lane's cursor, bounds.next). A reservation that an earlier opening of
    /// the lane left without a recorded attempt is overdue at once: its bytes were never sent.
    [[nodiscard]] virtual Task<Result<Reservation, StoreError>> reserve(SubmitterId submitter, Fence fence,
                                                                        LockOwner owner, NonceBounds bounds,
                                                                        Duration timeout) = 0;
    /// Marks the nonce as possibly sent with this hash: the reservation no longer times out. Must be committed before
    /// the first byte is sent (law 2). After a fork it also takes back a nonce that this owner used with the same hash.
    [[nodiscard]] virtual Task<Result<WriteAnswer, StoreError>> mark_in_flight(SubmitterId submitter, Fence fence,
                                                                               LockOwner owner, Nonce nonce,
                                                                               TxHash hash) = 0;
    [[nodiscard]] virtual Task<Result<WriteAnswer, StoreError>> mark_used(SubmitterId submitter, Fence fence,
                                                                          LockOwner owner, Nonce nonce,
                                                                          TxHash hash) = 0;
    /// Also for nonces in flight: the caller guarantees that no party holds the bytes.
    [[nodiscard]] virtual Task<Result<WriteAnswer, StoreError>> mark_recyclable(SubmitterId submitter, Fence fence,
                                                                                LockOwner owner, Nonce nonce,
                                                                                std::string reason) = 0;
    /// Raises the database's count to the chain's, and never lowers it. Changes no allocation, except that it deletes
    /// used ones that are finalized.
    [[nodiscard]] virtual Task<Result<Alignment, StoreError>> align(SubmitterId submitter, Fence fence,
                                                                    Nonce chain_next) = 0;
    [[nodiscard]] virtual Task<Result<AllocationCounts, StoreError>> allocations(SubmitterId submitter) = 0;
    /// The smallest nonce, not below `from`, that is recyclable, or reserved and overdue.
    [[nodiscard]] virtual Task<Result<std::optional<Nonce>, StoreError>> lowest_recyclable(SubmitterId submitter,
                                                                                           Nonce from) = 0;
};

}  // namespace fencepost
