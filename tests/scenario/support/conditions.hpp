// Shared wait conditions, and options with short intervals.
#pragma once

#include "support/lane_scenario.hpp"

namespace fencepost::scenario {

inline const lane::LaneOptions resends_soon{.confirmations_required = 3, .resubmit_interval = 5s};
inline const lane::LaneOptions tries_thrice{
    .confirmations_required = 3, .resubmit_interval = 5s, .resubmit = {.max_attempts = 3}};
/// Detects external use quickly.
inline const lane::LaneOptions reconciles_soon{.confirmations_required = 3, .reconcile_interval = 5s};

/// An external transaction consumed its nonce: mined, and final.
inline constexpr Position at_nonce_taken{State::stuck, SubState::nonce_taken};
inline constexpr Position at_nonce_lost{State::failed_final, SubState::nonce_taken};

[[nodiscard]] inline bool run_until_at(LaneScenario& scenario, TxId tx, Position position) {
    return scenario.run_until([&] { return scenario.view(tx).position == position; }, 2min);
}

[[nodiscard]] inline bool run_until_tracking(LaneScenario& scenario, TxId tx, Duration at_most = 2min) {
    return scenario.run_until([&] { return scenario.state(tx) == State::tracking; }, at_most);
}

[[nodiscard]] inline bool run_until_attempts(LaneScenario& scenario, TxId tx, std::size_t count) {
    return scenario.run_until([&] { return scenario.attempts(tx).size() >= count; }, 5min);
}

[[nodiscard]] inline bool is_protected(const LaneScenario& scenario) {
    return scenario.submitter(scenario.alice).status.status == SubmitterStatus::protect;
}

[[nodiscard]] inline bool run_until_protected(LaneScenario& scenario) {
    return scenario.run_until([&] { return is_protected(scenario); }, 2min);
}

}  // namespace fencepost::scenario
