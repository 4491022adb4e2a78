// Limits the number of series per gauge.
#include "telemetry/gauges.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace fencepost::telemetry {

std::vector<GaugeReading> bounded(std::vector<GaugeReading> readings, std::size_t most) {
    std::ranges::sort(readings, [](const GaugeReading& a, const GaugeReading& b) {
        return std::tie(a.gauge, b.value, a.label) < std::tie(b.gauge, a.value, b.label);
    });
    std::vector<GaugeReading> kept;
    std::size_t of_this_gauge = 0;
    for (auto& reading : readings) {
        if (kept.empty() || kept.back().gauge != reading.gauge) of_this_gauge = 0;
        ++of_this_gauge;
        if (of_this_gauge <= most) {
            kept.push_back(std::move(reading));
        } else if (of_this_gauge == most + 1) {
            kept.push_back({reading.gauge, "other", reading.value});
        } else {
            kept.back().value += reading.value;
        }
    }
    std::ranges::sort(kept, {}, [](const GaugeReading& reading) { return std::tie(reading.gauge, reading.label); });
    return kept;
}

}  // namespace fencepost::telemetry
