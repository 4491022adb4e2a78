// The syntax in which callers write how long a request may wait.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "base/time.hpp"

namespace fencepost::api {

/// A whole number and ms, s or m: "500ms", "30s".
[[nodiscard]] Result<Duration, ParseError> parse_wait_time(std::string_view text);

}  // namespace fencepost::api
