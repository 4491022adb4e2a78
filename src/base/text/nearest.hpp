// Suggestions for mistyped names ("did you mean …?").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost {

/// The most similar candidate; none if no candidate is similar. Case, dashes and underscores are ignored:
/// stale-receipt-timeout matches staleReceiptTimeout.
[[nodiscard]] std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace fencepost
