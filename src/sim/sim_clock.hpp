// The Clock port on virtual time, for the code of a simulated node.
#pragma once

#include "ports/clock.hpp"
#include "sim/world.hpp"

namespace fencepost::sim {

class SimClock : public Clock {
public:
    explicit SimClock(SimNode& node) : node_(node) {}

    [[nodiscard]] Instant monotonic() const override { return node_.world().now(); }
    /// The world's date, offset by the node's clock skew.
    [[nodiscard]] UnixTime unix_now() const override;
    [[nodiscard]] Task<void> sleep_until(Instant deadline) override;
    [[nodiscard]] Task<void> wait_until(Wakeup* bell, Instant deadline) override;

private:
    SimNode& node_;
};

}  // namespace fencepost::sim
