// What becomes of a nonce of a key that other systems use, too: reserved, then in flight (still RESERVED on record,
// with the hash of what may be anywhere), then used; or given back, and reserved again.
#pragma once

#include <optional>
#include <string>

#include "base/text/enum_names.hpp"
#include "domain/ids.hpp"

namespace fencepost {

enum class AllocationStatus { reserved, used, recyclable };
FP_ENUM_NAMES(AllocationStatus, upper, reserved, used, recyclable)

/// Who reserved a nonce; a late caller, whose reservation was recycled, no longer matches.
using LockOwner = Strong<std::string, struct LockOwnerTag>;

/// The lane's own reservations. One name for all openings: which opening it was, the token says.
inline const LockOwner lane_owner{"lane"};

/// A change of one nonce that the lane reserved.
struct NonceMark {
    Nonce nonce;
    /// RESERVED with a hash is in flight; it also takes back what was USED by that same hash, after a fork.
    AllocationStatus status{};
    std::optional<TxHash> hash{};
    std::string reason{};
};

}  // namespace fencepost
