// Reads the outbox as a subscriber does, through a node's own faulty connection, and checks that every event comes
// once, in the order of its transaction.
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
    /// The names of one transaction's events so far.
    using Told = std::vector<std::string>;

    EventChecker(World& world, Judge& judge) : world_(world), judge_(judge) {}

    /// Runs until cancelled; another call continues at the same position.
    [[nodiscard]] Task<void> read(EventLog* log, Clock* clock);
    /// Called at the end with the remaining events.
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
