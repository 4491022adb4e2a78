// How long a server asks us to stay away.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "base/time.hpp"

namespace fencepost::jsonrpc {

/// Nobody is kept away for longer, whatever a server says: it may be wrong about the date, or about us.
inline constexpr Duration longest_retry_after = std::chrono::hours(1);

/// The value of a Retry-After header (RFC 9110, section 10.2.3): seconds, or a date, of which `now` is subtracted.
/// Nothing if it is neither.
[[nodiscard]] std::optional<Duration> parse_retry_after(std::string_view value, UnixTime now);

}  // namespace fencepost::jsonrpc
