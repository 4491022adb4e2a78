// The machine's real time behind the Clock port. The only code that reads system clocks and starts timers.
#pragma once

#include <cstdint>
#include <set>
#include <utility>

#include "ports/clock.hpp"

namespace fencepost {

/// A sleep runs on the executor of the sleeping task. Each clock belongs to one execution context: a shard has its own.
class SystemClock final : public Clock {
public:
    [[nodiscard]] Instant monotonic() const override;
    [[nodiscard]] UnixTime unix_now() const override;
    [[nodiscard]] Task<void> sleep_until(Instant deadline) override;
    [[nodiscard]] Task<void> wait_until(Wakeup* bell, Instant deadline) override;

private:
    using QueuePosition = std::pair<Instant, std::uint64_t>;
    struct Sleeper;

    std::set<QueuePosition> queue_;  // active sleeps, in the order in which they must end
    std::uint64_t begun_ = 0;
};

}  // namespace fencepost
