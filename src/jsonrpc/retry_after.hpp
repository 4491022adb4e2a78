// Parses how long a server asks clients to wait.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "base/time.hpp"

namespace fencepost::jsonrpc {

/// Upper limit, whatever the server asks for: its date or its judgement may be wrong.
inline constexpr Duration max_retry_after = std::chrono::hours(1);

/// Parses a Retry-After header (RFC 9110, section 10.2.3): seconds, or a date, from which `now` is subtracted. Empty if
/// it is neither.
[[nodiscard]] std::optional<Duration> parse_retry_after(std::string_view value, UnixTime now);

}  // namespace fencepost::jsonrpc
