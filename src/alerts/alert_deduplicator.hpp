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

struct AlertDeskOptions {
    /// Alerts of one kind for one submitter within this time count as one.
    Duration fold_interval = std::chrono::minutes(10);
    /// Number of distinct alerts kept; beyond that an old one may be sent again.
    std::size_t remembered = 10'000;
};

class AlertDesk final : public Alerts {
public:
    /// The sinks and the clock must outlive the executor's work.
    AlertDesk(const Executor& executor, Clock& clock, std::vector<std::reference_wrapper<AlertSink>> sinks,
              AlertDeskOptions options = {});
    ~AlertDesk() override;
    AlertDesk(const AlertDesk&) = delete;
    AlertDesk& operator=(const AlertDesk&) = delete;

    /// From any thread; sinks are called on this object's executor. A higher level than the last one sent is sent at
    /// once.
    void raise(Alert alert) override;

    /// Sends reminders until cancelled. Without it, repeats are counted but not reported.
    [[nodiscard]] Task<void> run();

private:
    struct State;
    static Task<void> remind(std::shared_ptr<State> state);
    std::shared_ptr<State> state_;
};

}  // namespace fencepost::alerts
