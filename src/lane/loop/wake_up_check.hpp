// The kinds of wake-ups that wake_ups.hpp lists, by name, so that the simulator can show that none of them may be left
// out, and can be told when one is missing.
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
    own_time,       // its own time has come
    committed,      // the turn that changed it is committed
    deep_enough,    // a new head: its block is deep enough
    reorg,          // a new head: its block was removed
    external_fate,  // a new head: what became of the external transaction at its nonce
    gap_closed,     // the nonce below that no endpoint held is held
    verification,   // what the lane had to hear after its opening was heard
};

struct WakeUpCheck {
    /// Told of something that is due and that no wake-up will bring. Where it is set, a lane looks at everything it
    /// tracks every few turns, which costs what wake-ups save: for tests.
    std::function<void(const SubmitterId&, const std::string&)> missed{};
    /// A kind that is left out.
    std::optional<WakeUp> left_out{};

    /// What the next owner would load if this opening ended now; none where it has ended. Where it is set, a lane
    /// compares it with what it knows every few turns (recovery/reopening.hpp).
    std::function<std::optional<LaneState>(const SubmitterId&, const Fence&)> stored{};
    /// Told of what the next owner would not know.
    std::function<void(const SubmitterId&, const std::string&)> forgotten{};
    /// By so much the database's clock may have been set since a clock was stored.
    Duration clock_slack{};
};

}  // namespace fencepost::lane
