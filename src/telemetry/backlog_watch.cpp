#include "telemetry/backlog_watch.hpp"

#include "telemetry/readings.hpp"

namespace fencepost::telemetry {

Task<void> BacklogWatch::run() {
    while (true) {
        const auto found = co_await backlogs_.backlogs(node_);
        readings_ = found ? readings_of(*found) : std::vector<GaugeReading>{};
        pending_ = 0;
        if (found) {
            for (const auto& backlog : *found)
                pending_ += backlog.pending;
        }
        co_await clock_.sleep_for(every_);
    }
}

}  // namespace fencepost::telemetry
