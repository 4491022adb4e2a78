// The list of all alerts, for operators: docs/operating/alerts.md, made from the code so that it cannot be stale.
#pragma once

#include <string>

namespace fencepost::alerts {

/// docs/operating/alerts.md, whole.
[[nodiscard]] std::string alerts_markdown();

/// The same for a terminal.
[[nodiscard]] std::string alerts_text();

}  // namespace fencepost::alerts
