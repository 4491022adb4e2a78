// Reads the outbox as a subscriber does, through a node's own faulty connection, and checks that every event comes
// once, in the order of its transaction.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ports/store/event_log.hpp"
#include "sim/sim_clock.hpp"
#include "sim/simulation/violation.hpp"

namespace fencepost::sim {

class EventChecker {
public:
    /// The names of one transaction's events so far.
    using EventNames = std::vector<std::string>;

    EventChecker(World& world, ViolationRecorder& violations) : world_(world), violations_(violations) {}

    /// Runs until cancelled; another call continues at the same position.
    [[nodiscard]] Task<void> read(EventLog* log, Clock* clock);
    /// Called at the end with the remaining events.
    void take(const std::vector<LoggedEvent>& events);

    [[nodiscard]] EventPosition position() const { return position_; }
    [[nodiscard]] EventNames event_names(TxId tx) const;

private:
    World& world_;
    ViolationRecorder& violations_;
    EventPosition position_{};
    std::map<TxId, EventNames> reported_;
};

}  // namespace fencepost::sim
