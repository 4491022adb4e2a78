// What the store tells of waiting transactions, and a node of its ability, as gauges.
#pragma once

#include <functional>
#include <vector>

#include "ports/store/backlogs.hpp"
#include "ports/store/node_ability.hpp"
#include "telemetry/gauges.hpp"

namespace fencepost::telemetry {

/// Of the submitters that this node serves: how many there are, and what waits for each.
[[nodiscard]] std::vector<GaugeReading> readings_of(const std::vector<SubmitterBacklog>& backlogs);
/// What those submitters may have in flight, by what limits it, so that there are few series for any number of them.
/// `rules` is what is configured for one.
[[nodiscard]] std::vector<GaugeReading> window_readings(const std::vector<SubmitterBacklog>& backlogs,
                                                        const std::function<WindowRules(const SubmitterId&)>& rules);
[[nodiscard]] std::vector<GaugeReading> ability_readings(const NodeAbility& ability);

}  // namespace fencepost::telemetry
