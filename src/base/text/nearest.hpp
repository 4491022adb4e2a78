// What somebody may have meant who wrote a name that there is not.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost {

/// The candidate that is most like it; nothing when none is like it at all. Case, dashes and underscores do not count:
/// stale-receipt-timeout is staleReceiptTimeout.
[[nodiscard]] std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace fencepost
