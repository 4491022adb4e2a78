// Configuration of shared keys.
#pragma once

#include <cstdint>

#include "base/time.hpp"
#include "ports/alert_thresholds.hpp"

namespace fencepost::relaxed {

struct RelaxedOptions {
    /// Maximum age of the chain's counts; 0 queries the chain each time.
    Duration nonce_state_timeout = std::chrono::minutes(5);
    /// A reservation that is neither sent nor released by then may be given to another owner.
    Duration reserved_timeout = std::chrono::minutes(10);
    /// Number of unsent reservations above which an alert is raised.
    std::uint64_t reserved_threshold = AlertThresholds{}.reserved;
    Duration reconcile_interval = std::chrono::minutes(5);
    /// A released nonce below others in flight is kept available for this long, twice; then a gap filler consumes it.
    Duration gap_fill_delay = std::chrono::seconds(30);
};

}  // namespace fencepost::relaxed
