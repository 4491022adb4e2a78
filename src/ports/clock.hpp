// All time comes through here: no code outside an adapter reads a clock or starts a timer, so that a whole cluster runs
// in virtual time, and a test of a ten-minute time-out takes no time.
#pragma once

#include "base/async/task.hpp"
#include "base/async/wakeup.hpp"
#include "base/time.hpp"

namespace fencepost {

/// What an implementation promises:
/// - monotonic() never steps back, and is the only time by which durations and local deadlines are measured;
/// - unix_now() is what this machine believes the date to be. It may be wrong and may jump: it names and logs, it never
///   decides. Leases are judged by the database's time alone (law 1);
/// - a sleep ends at or after its deadline, never before, and ends early only by cancellation, which it reports by
///   throwing, as every Task does. Sleeps that end at the same instant end in the order in which they were begun.
class Clock {
public:
    virtual ~Clock() = default;

    [[nodiscard]] virtual Instant monotonic() const = 0;
    [[nodiscard]] virtual UnixTime unix_now() const = 0;
    [[nodiscard]] virtual Task<void> sleep_until(Instant deadline) = 0;
    /// Returns when the bell rings, and at the deadline at the latest. A ring meanwhile is heard, by this wait alone.
    /// Cheaper than to race a wait against a sleep, whose loser must be thrown out of its coroutine: a lane waits so
    /// after every turn.
    [[nodiscard]] virtual Task<void> wait_until(Wakeup* bell, Instant deadline) = 0;

    [[nodiscard]] Task<void> sleep_for(Duration duration) { return sleep_until(monotonic() + duration); }
};

}  // namespace fencepost
