// Asks the database every few seconds what waits, so that whoever collects metrics gets an answer at once, and a crowd
// of collectors costs no more than one.
#pragma once

#include <cstdint>
#include <vector>

#include "base/task.hpp"
#include "ports/clock.hpp"
#include "ports/store/backlogs.hpp"
#include "telemetry/gauges.hpp"

namespace fencepost::telemetry {

class BacklogWatch {
public:
    BacklogWatch(Backlogs& backlogs, Clock& clock, NodeId node, Duration every = std::chrono::seconds(10))
        : backlogs_(backlogs),
          clock_(clock),
          node_(std::move(node)),
          every_(every) {}

    /// Until it is cancelled.
    [[nodiscard]] Task<void> run();

    /// As of the last answer; nothing while the database does not answer.
    [[nodiscard]] std::vector<GaugeReading> readings() const { return readings_; }
    /// How many transactions of this node's submitters have a nonce and no verdict.
    [[nodiscard]] std::uint64_t pending() const { return pending_; }

private:
    Backlogs& backlogs_;
    Clock& clock_;
    NodeId node_;
    Duration every_;
    std::vector<GaugeReading> readings_;
    std::uint64_t pending_ = 0;
};

}  // namespace fencepost::telemetry
