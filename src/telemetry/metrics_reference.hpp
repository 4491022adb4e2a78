// Generates docs/reference/metrics.md from the code, so that it cannot become stale.
#pragma once

#include <string>

namespace fencepost::telemetry {

[[nodiscard]] std::string metrics_reference();

}  // namespace fencepost::telemetry
