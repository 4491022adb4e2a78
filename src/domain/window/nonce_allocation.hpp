// The life of a nonce of a shared key: reserved, then in flight (still RESERVED on record, with the hash of bytes that
// may have been sent), then used; or released, and reserved again.
#pragma once

#include <optional>
#include <string>

#include "base/text/enum_names.hpp"
#include "domain/ids.hpp"

namespace fencepost {

enum class AllocationStatus { reserved, used, recyclable };
FP_ENUM_NAMES(AllocationStatus, upper, reserved, used, recyclable)

/// The owner of a reservation; a late caller whose reservation was recycled no longer matches.
using LockOwner = Strong<std::string, struct LockOwnerTag>;

/// The owner of the lane's reservations. The same for all openings; the token tells them apart.
inline const LockOwner lane_owner{"lane"};

/// A status change of one nonce that the lane reserved.
struct NonceMark {
    Nonce nonce;
    /// RESERVED with a hash means in flight; it also takes back a nonce that was USED by that hash, after a fork.
    AllocationStatus status{};
    std::optional<TxHash> hash{};
    std::string reason{};
};

}  // namespace fencepost
