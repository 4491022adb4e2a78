// The port for time. No code outside an adapter reads a clock or starts a timer, so a whole cluster can run in virtual
// time and a test of a ten-minute time-out takes no time.
#pragma once

#include "base/async/task.hpp"
#include "base/async/wakeup.hpp"
#include "base/time.hpp"

namespace fencepost {

/// Contract:
/// - monotonic() never goes back, and is the only time for durations and local deadlines;
/// - unix_now() is the wall clock of this machine. It may be wrong and may jump, so it is used for names and logs,
///   never for decisions. Leases are evaluated with database time only (law 1);
/// - a sleep never ends before its deadline, except on cancellation, which throws as in every Task. Sleeps with the
///   same deadline end in the order in which they began.
class Clock {
public:
    virtual ~Clock() = default;

    [[nodiscard]] virtual Instant monotonic() const = 0;
    [[nodiscard]] virtual UnixTime unix_now() const = 0;
    [[nodiscard]] virtual Task<void> sleep_until(Instant deadline) = 0;
    /// Returns when the wakeup is notified, or at the deadline. A notification during the wait is consumed by this wait
    /// alone. Cheaper than racing a wait against a sleep, which cancels the loser by an exception; a lane waits like
    /// this after every turn.
    [[nodiscard]] virtual Task<void> wait_until(Wakeup* wakeup, Instant deadline) = 0;

    [[nodiscard]] Task<void> sleep_for(Duration duration) { return sleep_until(monotonic() + duration); }
};

}  // namespace fencepost
