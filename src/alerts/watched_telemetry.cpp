// Counts per window while forwarding to the metrics.
#include "alerts/watched_telemetry.hpp"

#include <utility>

namespace fencepost::alerts {

WatchedTelemetry::WatchedTelemetry(Telemetry& next, Clock& clock, Alerts& alerts,
                                   std::function<std::uint64_t()> backlog, WatchOptions options)
    : next_(next),
      clock_(clock),
      alerts_(alerts),
      backlog_(std::move(backlog)),
      options_(options),
      watch_(options.thresholds) {}

void WatchedTelemetry::count(Counter counter, std::string_view label, std::uint64_t by) {
    if (counter == Counter::lease_fenced) fenced_ += by;
    if (counter == Counter::tx_submit) submits_ += by;
    if (counter == Counter::resubmit) resubmits_ += by;
    next_.count(counter, label, by);
}

WindowCounts WatchedTelemetry::end_window() {
    return {.fenced = fenced_.exchange(0),
            .submits = submits_.exchange(0),
            .resubmits = resubmits_.exchange(0),
            .receipt_backlog = backlog_()};
}

Task<void> WatchedTelemetry::run() {
    while (true) {
        co_await clock_.sleep_for(options_.window);
        for (auto& alert : watch_.judge(end_window()))
            alerts_.raise(std::move(alert));
    }
}

}  // namespace fencepost::alerts
