// The kinds of wake-ups of wake_ups.hpp, so that the simulator can disable each one and show that it is necessary.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/time.hpp"
#include "domain/lease.hpp"
#include "domain/submitter_id.hpp"
#include "ports/store/lane_store.hpp"

namespace fencepost::lane {

enum class WakeUp {
    named,          // a message names it
    own_time,       // its deadline has passed
    committed,      // the turn that changed it is committed
    deep_enough,    // a new head: its block is deep enough
    reorg,          // a new head: its block was removed
    external_fate,  // a new head: the external transaction at its nonce became final or was removed
    gap_closed,     // the missing nonce below is held now
    verification,   // an answer that verification was waiting for arrived
};

struct WakeUpCheck {
    /// Called for work that is due and that no wake-up would trigger. If set, a lane checks everything it tracks every
    /// few turns, which is expensive: for tests.
    std::function<void(const SubmitterId&, const std::string&)> missed{};
    /// A disabled kind.
    std::optional<WakeUp> disabled{};

    /// What the next owner would load if this opening ended now; none if it has ended. If set, a lane compares it with
    /// its memory every few turns (recovery/reopening.hpp).
    std::function<std::optional<LaneState>(const SubmitterId&, const Fence&)> stored{};
    /// Called with what the next owner would not know.
    std::function<void(const SubmitterId&, const std::string&)> forgotten{};
    /// Maximum adjustment of the database clock since a stored time.
    Duration clock_slack{};
};

}  // namespace fencepost::lane
