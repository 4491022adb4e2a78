// Thresholds for fenced writes, receipt backlog and resends.
#include "alerts/threshold_watch.hpp"

#include <utility>

#include <fmt/format.h>

namespace fencepost::alerts {

std::vector<Alert> ThresholdWatch::judge(const WindowCounts& window) {
    std::vector<Alert> alerts;
    for (auto alert : {fenced_spike(window), receipt_backlog(window), resubmit_rate(window)}) {
        if (alert) alerts.push_back(std::move(*alert));
    }
    return alerts;
}

std::optional<Alert> ThresholdWatch::fenced_spike(const WindowCounts& window) const {
    if (window.fenced <= thresholds_.fenced) return std::nullopt;
    return alert_of(AlertKind::fenced_spike, std::nullopt,
                    fmt::format("{} writes were fenced in one window; takeovers explain up to {}", window.fenced,
                                thresholds_.fenced));
}

// A large backlog that shrinks recovers by itself, and a small one that grows is normal traffic.
std::optional<Alert> ThresholdWatch::receipt_backlog(const WindowCounts& window) {
    const auto last = std::exchange(last_backlog_, window.receipt_backlog);
    grown_ = last && window.receipt_backlog > *last ? grown_ + 1 : 0;
    if (grown_ < thresholds_.backlog_windows || window.receipt_backlog < thresholds_.min_backlog) return std::nullopt;
    return alert_of(AlertKind::receipt_backlog, std::nullopt,
                    fmt::format("{} transactions wait for receipts; their number grew in {} consecutive windows",
                                window.receipt_backlog, grown_));
}

std::optional<Alert> ThresholdWatch::resubmit_rate(const WindowCounts& window) const {
    static constexpr std::uint64_t whole = 100;
    if (window.resubmits < thresholds_.min_resubmits) return std::nullopt;
    if (window.resubmits * whole <= window.submits * thresholds_.resubmit_percent) return std::nullopt;
    return alert_of(AlertKind::resubmit_rate, std::nullopt,
                    fmt::format("{} of {} sends in one window were resends", window.resubmits, window.submits));
}

}  // namespace fencepost::alerts
