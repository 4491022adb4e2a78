// No port throws, and neither does a lane. Where something does all the same it is somebody's mistake: it is said, it
// ends what it happened in, and it takes nobody else with it.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "base/async/task.hpp"
#include "ports/log.hpp"

namespace fencepost::lane {

/// The field of a log line that tells of one, so that whoever listens can tell it from the world's failures.
inline constexpr std::string_view mistake_field = "mistake";

/// Runs one step of something that goes on after it. False when the step threw, which has been told then: `message`, a
/// literal, and `where` it happened, which outlives the step. A cancellation that somebody asked for is thrown on.
[[nodiscard]] Task<bool> ends_well(Log* log, std::string_view message, std::string_view where, Task<void> step);

}  // namespace fencepost::lane
