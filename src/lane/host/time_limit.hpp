// Work that is given up when it takes too long: what hangs in a slow database must not keep the next try from being
// made.
#pragma once

#include "base/async/task.hpp"
#include "base/time.hpp"
#include "ports/clock.hpp"

namespace fencepost::lane {

/// Runs the work beside its caller, cancels it when the time is up, and returns when it has ended: whether in time.
/// What it throws is thrown on, but not that it was cancelled for being late. Cheaper than to race it against a sleep,
/// whose loser, mostly the sleep, must be thrown out of its coroutine: a cluster does this every second.
[[nodiscard]] Task<bool> run_within(Clock* clock, Duration limit, Task<void> work);

}  // namespace fencepost::lane
