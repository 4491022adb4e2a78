// Computes gauges from backlogs and ability.
#include "telemetry/readings.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "domain/window/window_facts.hpp"

namespace fencepost::telemetry {

std::vector<GaugeReading> readings_of(const std::vector<SubmitterBacklog>& backlogs) {
    std::vector<GaugeReading> readings{{Gauge::open_lanes, "", static_cast<double>(backlogs.size())}};
    for (const auto& one : backlogs) {
        readings.push_back({Gauge::queue_depth, one.submitter.to_string(), static_cast<double>(one.queued)});
        readings.push_back({Gauge::pending_transactions, one.submitter.to_string(), static_cast<double>(one.pending)});
    }
    return readings;
}

std::vector<GaugeReading> window_readings(const std::vector<SubmitterBacklog>& backlogs,
                                          const std::function<WindowRules(const SubmitterId&)>& rules) {
    std::map<WindowLimit, std::vector<std::uint32_t>> sizes;
    for (const auto& one : backlogs) {
        const auto window = effective_window(rules(one.submitter), one.window, {}).state;
        sizes[window.limit].push_back(window.size);
    }
    std::vector<GaugeReading> readings;
    // Includes limits that apply to no submitter: a series that comes and goes triggers no alert.
    for (const auto& [limit, name] : enum_names<WindowLimit>)
        readings.push_back({Gauge::window_lanes, std::string(name), static_cast<double>(sizes[limit].size())});
    for (const auto& [limit, of_limit] : sizes) {
        if (of_limit.empty()) continue;
        const std::string name(name_of(limit));
        readings.push_back({Gauge::window_nonces, name, std::accumulate(of_limit.begin(), of_limit.end(), 0.0)});
        readings.push_back({Gauge::window_smallest, name, static_cast<double>(std::ranges::min(of_limit))});
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
