// The real time of this machine behind the Clock port. The only place that reads its clocks and starts its timers.
#pragma once

#include <cstdint>
#include <set>
#include <utility>

#include "ports/clock.hpp"

namespace fencepost {

/// Sleeps run on the executor of the task that sleeps. One clock belongs to one execution context: a shard has its own.
class SystemClock final : public Clock {
public:
    [[nodiscard]] Instant monotonic() const override;
    [[nodiscard]] UnixTime unix_now() const override;
    [[nodiscard]] Task<void> sleep_until(Instant deadline) override;
    [[nodiscard]] Task<void> wait_until(Wakeup* bell, Instant deadline) override;

private:
    using Turn = std::pair<Instant, std::uint64_t>;
    struct Sleeper;

    std::set<Turn> turns_;  // of the sleeps under way, in the order in which they must end
    std::uint64_t begun_ = 0;
};

}  // namespace fencepost
