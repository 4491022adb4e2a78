#include "node/metrics.hpp"

#include <utility>

#include "telemetry/readings.hpp"

namespace fencepost::node {
namespace {

constexpr auto read_interval = std::chrono::seconds(5);

}  // namespace

Task<void> NodeMetrics::run() {
    while (true) {
        // If the database does not answer, the last values stay; another metric reports the outage.
        if (auto read = co_await backlog_.backlogs(node_)) backlogs_ = *std::move(read);
        co_await clock_.sleep_for(read_interval);
    }
}

std::vector<telemetry::GaugeReading> NodeMetrics::gauges(const NodeAbility& ability) const {
    auto readings = telemetry::readings_of(backlogs_);
    for (auto& reading : telemetry::window_readings(backlogs_, window_rules_))
        readings.push_back(std::move(reading));
    for (auto& reading : telemetry::ability_readings(ability))
        readings.push_back(std::move(reading));
    for (const auto& chain : chains_) {
        for (const auto& endpoint : chain->endpoints().status()) {
            readings.push_back({.gauge = telemetry::Gauge::endpoint_available,
                                .label = chain->ref().to_string() + "/" + endpoint.name,
                                .value = endpoint.in_service ? 1.0 : 0.0});
        }
    }
    return readings;
}

std::uint64_t NodeMetrics::pending() const {
    std::uint64_t sum = 0;
    for (const auto& backlog : backlogs_)
        sum += backlog.pending;
    return sum;
}

}  // namespace fencepost::node
