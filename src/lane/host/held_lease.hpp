// The lane's local view of its lease. The database decides which node owns a submitter; this view only tells the lane
// when to stop if the database does not answer.
#pragma once

#include "base/time.hpp"
#include "domain/lease.hpp"

namespace fencepost::lane {

struct HeldLease {
    Fence fence;
    /// In local monotonic time, counted from before the request: never later than the real expiry.
    Instant until;
    bool lost = false;

    [[nodiscard]] bool holds(Instant now) const { return !lost && now < until; }
};

}  // namespace fencepost::lane
