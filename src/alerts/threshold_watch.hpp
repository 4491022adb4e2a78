// Decides when counters justify an alert. Pure: the counts of a time window go in, alerts come out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ports/alert_thresholds.hpp"
#include "ports/alerts.hpp"

namespace fencepost::alerts {

/// Counts of this node in one time window.
struct WindowCounts {
    std::uint64_t fenced = 0;
    std::uint64_t submits = 0;  // of any kind, resends included
    std::uint64_t resubmits = 0;
    /// Transactions that wait for a receipt at the end of the window.
    std::uint64_t receipt_backlog = 0;
};

class ThresholdWatch {
public:
    explicit ThresholdWatch(AlertThresholds thresholds = {}) : thresholds_(thresholds) {}

    /// Call once per window, in order.
    [[nodiscard]] std::vector<Alert> judge(const WindowCounts& window);

private:
    [[nodiscard]] std::optional<Alert> fenced_spike(const WindowCounts& window) const;
    [[nodiscard]] std::optional<Alert> receipt_backlog(const WindowCounts& window);
    [[nodiscard]] std::optional<Alert> resubmit_rate(const WindowCounts& window) const;

    AlertThresholds thresholds_;
    std::optional<std::uint64_t> last_backlog_;
    std::size_t grown_ = 0;
};

}  // namespace fencepost::alerts
