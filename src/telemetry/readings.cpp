#include "telemetry/readings.hpp"

#include <algorithm>

namespace fencepost::telemetry {

std::vector<GaugeReading> readings_of(const std::vector<SubmitterBacklog>& backlogs) {
    std::vector<GaugeReading> readings{{Gauge::open_lanes, "", static_cast<double>(backlogs.size())}};
    for (const auto& [submitter, queued, pending] : backlogs) {
        readings.push_back({Gauge::queue_depth, submitter.to_string(), static_cast<double>(queued)});
        readings.push_back({Gauge::pending_transactions, submitter.to_string(), static_cast<double>(pending)});
    }
    return readings;
}

std::vector<GaugeReading> ability_readings(const NodeAbility& ability) {
    std::vector<GaugeReading> readings;
    readings.reserve(ability.chains.size() + 1);
    for (const auto& [chain, known] : ability.chains)
        readings.push_back({Gauge::chain_able, chain.to_string(), known.ability.is_able() ? 1.0 : 0.0});
    const auto failing =
        std::ranges::count_if(ability.signers, [](const auto& entry) { return !entry.second.is_able(); });
    readings.push_back({Gauge::signers_not_able, "", static_cast<double>(failing)});
    return readings;
}

}  // namespace fencepost::telemetry
