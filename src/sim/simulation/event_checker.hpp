// Reads the outbox as a subscriber does, through a node's own connection with all its faults: every event comes once,
// in the order of its transaction.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ports/store/event_log.hpp"
#include "sim/sim_clock.hpp"
#include "sim/simulation/verdict.hpp"

namespace fencepost::sim {

class EventChecker {
public:
    /// The events of one transaction so far, by name.
    using Told = std::vector<std::string>;

    EventChecker(World& world, Judge& judge) : world_(world), judge_(judge) {}

    /// Until it is cancelled; goes on from where it was when called again.
    [[nodiscard]] Task<void> read(EventLog* log, Clock* clock);
    /// Whatever is left, at the end.
    void take(const std::vector<LoggedEvent>& events);

    [[nodiscard]] EventPosition position() const { return position_; }
    [[nodiscard]] Told told(TxId tx) const;

private:
    World& world_;
    Judge& judge_;
    EventPosition position_{};
    std::map<TxId, Told> told_;
};

}  // namespace fencepost::sim
