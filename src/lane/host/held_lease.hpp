// A lane's own idea of its lease. The database decides who owns a submitter; this only says when to stop without being
// told: a lane whose database does not answer must not go on believing.
#pragma once

#include "base/time.hpp"
#include "domain/lease.hpp"

namespace fencepost::lane {

struct HeldLease {
    Fence fence;
    /// By this process's monotonic clock, counted from before the question was asked: never later than the truth.
    Instant until;
    bool lost = false;

    [[nodiscard]] bool holds(Instant now) const { return !lost && now < until; }
};

}  // namespace fencepost::lane
