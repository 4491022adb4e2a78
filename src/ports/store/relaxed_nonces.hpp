// Nonces of keys that are shared with other systems: reserved, then used or given back. Only relaxed mode and the
// low-level API use these; strict mode never gives a nonce back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.hpp"
#include "base/result.hpp"
#include "base/task.hpp"
#include "base/time.hpp"
#include "domain/lease.hpp"
#include "domain/submitter_id.hpp"
#include "ports/store/lane_store.hpp"
#include "ports/store/store_error.hpp"

namespace fencepost {

enum class AllocationStatus { reserved, used, recyclable };

template <>
inline constexpr EnumNames<AllocationStatus, 3> enum_names<AllocationStatus>{{
    {AllocationStatus::reserved, "RESERVED"},
    {AllocationStatus::used, "USED"},
    {AllocationStatus::recyclable, "RECYCLABLE"},
}};

/// Who reserved a nonce; a late caller, whose reservation was recycled, no longer matches.
using LockOwner = Strong<std::string, struct LockOwnerTag>;

struct Reservation {
    WriteAnswer answer = WriteAnswer::fenced;
    std::optional<Nonce> nonce{};  // when applied
};

struct AllocationCounts {
    std::uint64_t reserved = 0;
    std::uint64_t used = 0;
    std::uint64_t recyclable = 0;
};

/// What an implementation promises: every write is fenced like a lane's; two callers never hold one nonce; `conflict`
/// means that the lock owner does not match, or the nonce is not reserved.
class RelaxedNonces {
public:
    virtual ~RelaxedNonces() = default;

    /// Makes overdue reservations recyclable, then takes the smallest recyclable nonce that is not below `chain_next`
    /// (smaller ones are retired), else advances max(state, chain_next).
    [[nodiscard]] virtual Task<Result<Reservation, StoreError>> reserve(SubmitterId submitter, Fence fence,
                                                                        LockOwner owner, Nonce chain_next,
                                                                        Duration timeout) = 0;
    [[nodiscard]] virtual Task<Result<WriteAnswer, StoreError>> mark_used(SubmitterId submitter, Fence fence,
                                                                          LockOwner owner, Nonce nonce,
                                                                          TxHash hash) = 0;
    [[nodiscard]] virtual Task<Result<WriteAnswer, StoreError>> mark_recyclable(SubmitterId submitter, Fence fence,
                                                                                LockOwner owner, Nonce nonce,
                                                                                std::string reason) = 0;
    [[nodiscard]] virtual Task<Result<AllocationCounts, StoreError>> allocations(SubmitterId submitter) = 0;
};

}  // namespace fencepost
