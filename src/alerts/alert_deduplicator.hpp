// Folds repeated alerts. Components raise an alert each time they detect a problem; operators should get it once. A new
// alert is sent at once; repeats are counted and reported once per interval while they continue.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "alerts/alert_sink.hpp"
#include "base/async/task.hpp"
#include "ports/clock.hpp"

namespace fencepost::alerts {

struct AlertDeduplicatorOptions {
    /// Alerts of one kind for one submitter within this time count as one.
    Duration fold_interval = std::chrono::minutes(10);
    /// Number of distinct alerts kept; beyond that an old one may be sent again.
    std::size_t max_remembered = 10'000;
};

class AlertDeduplicator final : public Alerts {
public:
    /// The sinks and the clock must outlive the executor's work.
    AlertDeduplicator(const Executor& executor, Clock& clock, std::vector<std::reference_wrapper<AlertSink>> sinks,
                      AlertDeduplicatorOptions options = {});
    ~AlertDeduplicator() override;
    AlertDeduplicator(const AlertDeduplicator&) = delete;
    AlertDeduplicator& operator=(const AlertDeduplicator&) = delete;

    /// From any thread; sinks are called on this object's executor. A higher level than the last one sent is sent at
    /// once.
    void raise(Alert alert) override;

    /// Sends reminders until cancelled. Without it, repeats are counted but not reported.
    [[nodiscard]] Task<void> run();

private:
    struct State;
    static Task<void> send_reminders(std::shared_ptr<State> state);
    std::shared_ptr<State> state_;
};

}  // namespace fencepost::alerts
