// The list of all metrics, for people: docs/reference/metrics.md, made from the code so that it cannot be stale.
#pragma once

#include <string>

namespace fencepost::telemetry {

[[nodiscard]] std::string metrics_reference();

}  // namespace fencepost::telemetry
