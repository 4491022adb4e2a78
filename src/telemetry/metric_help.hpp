// Help text of each metric, as shown on dashboards.
#pragma once

#include <string_view>

#include "ports/telemetry.hpp"
#include "telemetry/gauges.hpp"

namespace fencepost::telemetry {

[[nodiscard]] std::string_view help_of(Counter counter);
[[nodiscard]] std::string_view help_of(Latency latency);
[[nodiscard]] std::string_view help_of(Size size);
[[nodiscard]] std::string_view help_of(Gauge gauge);

}  // namespace fencepost::telemetry
