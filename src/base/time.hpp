// Two kinds of time that must not be mixed. An Instant only measures how long something took on this process's own
// monotonic clock. A UnixTime is what a person or a database means by "when"; it may jump. Both are read through the
// Clock port only, so that a whole cluster can run in virtual time.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace fencepost {

using Duration = std::chrono::nanoseconds;

/// The tag of Instant; it has no now() on purpose.
struct MonotonicTime {
    using duration = Duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<MonotonicTime>;
    static constexpr bool is_steady = true;
};
using Instant = MonotonicTime::time_point;

/// Microseconds, as PostgreSQL keeps them.
using UnixTime = std::chrono::sys_time<std::chrono::microseconds>;

/// RFC 3339 in UTC with microseconds: 2026-11-15T21:41:26.000123Z.
[[nodiscard]] std::string to_rfc3339(UnixTime time);
/// The same with milliseconds, for programs that read no more: 2026-11-15T21:41:26.000Z.
[[nodiscard]] std::string to_rfc3339_milliseconds(UnixTime time);

/// Takes any offset ("Z", "+02:00") and up to nine digits of a second, of which six count. From 1970 on.
[[nodiscard]] Result<UnixTime, ParseError> parse_rfc3339(std::string_view text);

}  // namespace fencepost
