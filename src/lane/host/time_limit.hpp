// A time limit for tasks: a call that hangs in a slow database must not prevent the next attempt.
#pragma once

#include "base/async/task.hpp"
#include "base/time.hpp"
#include "ports/clock.hpp"

namespace fencepost::lane {

/// Runs the task concurrently, cancels it at the limit, and returns, when it has ended, whether it was in time.
/// Rethrows its exceptions, except the cancellation for being late. Cheaper than racing it against a sleep, which
/// cancels the loser by an exception every time: a cluster does this every second.
[[nodiscard]] Task<bool> run_within(Clock* clock, Duration limit, Task<void> work);

}  // namespace fencepost::lane
