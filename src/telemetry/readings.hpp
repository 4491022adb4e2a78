// AsyncSemaphore waiting transactions in the store and the node's ability into gauges.
#pragma once

#include <functional>
#include <vector>

#include "ports/store/backlogs.hpp"
#include "ports/store/node_ability.hpp"
#include "telemetry/gauges.hpp"

namespace fencepost::telemetry {

/// For the submitters that this node serves: their number, and what waits for each.
[[nodiscard]] std::vector<GaugeReading> readings_of(const std::vector<SubmitterBacklog>& backlogs);
/// The in-flight windows of those submitters, grouped by what limits them, so that the number of series stays small.
/// `rules` is the configuration of one submitter.
[[nodiscard]] std::vector<GaugeReading> window_readings(const std::vector<SubmitterBacklog>& backlogs,
                                                        const std::function<WindowRules(const SubmitterId&)>& rules);
[[nodiscard]] std::vector<GaugeReading> ability_readings(const NodeAbility& ability);

}  // namespace fencepost::telemetry
