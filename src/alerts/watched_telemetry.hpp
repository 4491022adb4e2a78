// Telemetry decorator that raises alerts on unusual counts, so that a node without a metrics system still notices.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "alerts/threshold_watch.hpp"
#include "base/async/task.hpp"
#include "ports/clock.hpp"
#include "ports/telemetry.hpp"

namespace fencepost::alerts {

struct WatchOptions {
    Duration window = std::chrono::minutes(1);
    AlertThresholds thresholds{};
};

class WatchedTelemetry final : public Telemetry {
public:
    /// `backlog` returns how many transactions wait for a receipt now; called once per window, on the executor of
    /// run().
    WatchedTelemetry(Telemetry& next, Clock& clock, Alerts& alerts, std::function<std::uint64_t()> backlog,
                     WatchOptions options = {});

    /// From any thread that `next` supports.
    void count(Counter counter, std::string_view label, std::uint64_t by) override;
    void observe(Latency latency, Duration took) override { next_.observe(latency, took); }
    void measure(Size size, std::uint64_t count) override { next_.measure(size, count); }

    /// Judges each window at its end, until cancelled.
    [[nodiscard]] Task<void> run();

private:
    [[nodiscard]] WindowCounts end_window();

    Telemetry& next_;
    Clock& clock_;
    Alerts& alerts_;
    std::function<std::uint64_t()> backlog_;
    WatchOptions options_;
    ThresholdWatch watch_;
    std::atomic<std::uint64_t> fenced_ = 0;
    std::atomic<std::uint64_t> submits_ = 0;
    std::atomic<std::uint64_t> resubmits_ = 0;
};

}  // namespace fencepost::alerts
