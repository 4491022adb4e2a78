// Guards against unexpected exceptions. Neither ports nor lanes throw; if one does, it is a bug: it is logged, it ends
// the step in which it happened, and everything else continues.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "base/async/task.hpp"
#include "ports/log.hpp"

namespace fencepost::lane {

/// The log field of such an error, which distinguishes bugs from environment failures.
inline constexpr std::string_view exception_field = "exception";

/// Runs one step of a repeated task. False when the step threw, which is then logged with `message`, a literal, and
/// `where`, which must outlive the step. A requested cancellation is rethrown.
[[nodiscard]] Task<bool> run_guarded(Log* log, std::string_view message, std::string_view where, Task<void> step);

}  // namespace fencepost::lane
