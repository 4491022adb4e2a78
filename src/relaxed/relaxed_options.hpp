// What is configured about the nonces of a shared key.
#pragma once

#include <cstdint>

#include "base/time.hpp"
#include "ports/alert_thresholds.hpp"

namespace fencepost::relaxed {

struct RelaxedOptions {
    /// For so long what the chain said is good enough to go on counting from; 0 asks it each time.
    Duration nonce_state_timeout = std::chrono::minutes(5);
    /// A reservation that was neither sent nor given back by then is somebody else's.
    Duration reserved_timeout = std::chrono::minutes(10);
    /// More reservations than this that are not sent are a reason to wake somebody.
    std::uint64_t reserved_threshold = AlertThresholds{}.reserved;
    Duration reconcile_interval = std::chrono::minutes(5);
    /// A nonce that was given back below others in flight waits so long for somebody to ask for it, twice; then it is
    /// filled.
    Duration hole_patience = std::chrono::seconds(30);
};

}  // namespace fencepost::relaxed
