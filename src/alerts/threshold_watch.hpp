// When figures are a reason to wake somebody. Pure: what happened in a window goes in, alerts come out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ports/alerts.hpp"

namespace fencepost::alerts {

struct Thresholds {
    /// A takeover is fenced once or twice; more than so many in a window are nodes that fight, or clocks that jump.
    std::uint64_t fenced = 5;
    /// The backlog counts as growing when it grew through so many windows in a row, to at least so many transactions.
    std::size_t backlog_windows = 3;
    std::uint64_t backlog_least = 100;
    /// Of what was sent in a window so many per cent may be repeats; not judged when there were fewer than the least.
    std::uint64_t resubmit_percent = 50;
    std::uint64_t resubmits_least = 20;
};

/// What happened on this node in one window of time.
struct WindowCounts {
    std::uint64_t fenced = 0;
    std::uint64_t submits = 0;  // of any kind, repeats among them
    std::uint64_t resubmits = 0;
    /// Transactions that wait for a receipt at the window's end.
    std::uint64_t receipt_backlog = 0;
};

class ThresholdWatch {
public:
    explicit ThresholdWatch(Thresholds thresholds = {}) : thresholds_(thresholds) {}

    /// To be called once a window, in order.
    [[nodiscard]] std::vector<Alert> judge(const WindowCounts& window);

private:
    [[nodiscard]] std::optional<Alert> fenced_spike(const WindowCounts& window) const;
    [[nodiscard]] std::optional<Alert> receipt_backlog(const WindowCounts& window);
    [[nodiscard]] std::optional<Alert> resubmit_rate(const WindowCounts& window) const;

    Thresholds thresholds_;
    std::optional<std::uint64_t> last_backlog_;
    std::size_t grown_ = 0;
};

}  // namespace fencepost::alerts
