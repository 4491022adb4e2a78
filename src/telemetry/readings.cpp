#include "telemetry/readings.hpp"

namespace fencepost::telemetry {

std::vector<GaugeReading> readings_of(const std::vector<SubmitterBacklog>& backlogs) {
    std::vector<GaugeReading> readings{{Gauge::open_lanes, "", static_cast<double>(backlogs.size())}};
    for (const auto& [submitter, queued, pending] : backlogs) {
        readings.push_back({Gauge::queue_depth, submitter.to_string(), static_cast<double>(queued)});
        readings.push_back({Gauge::pending_transactions, submitter.to_string(), static_cast<double>(pending)});
    }
    return readings;
}

}  // namespace fencepost::telemetry
