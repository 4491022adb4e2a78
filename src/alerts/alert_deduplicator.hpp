// Trouble is raised as often as it is seen; people are told once. The desk tells a new alert at once, counts its
// repeats, and says once an interval how often it came again, for as long as it does.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "alerts/alert_sink.hpp"
#include "base/async/task.hpp"
#include "ports/clock.hpp"

namespace fencepost::alerts {

struct AlertDeskOptions {
    /// Alerts of one kind about one submitter within this time are one.
    Duration fold_interval = std::chrono::minutes(10);
    /// So many different alerts are remembered; beyond that an old one may be told anew.
    std::size_t remembered = 10'000;
};

class AlertDesk final : public Alerts {
public:
    /// The sinks and the clock outlive the executor's work.
    AlertDesk(const Executor& executor, Clock& clock, std::vector<std::reference_wrapper<AlertSink>> sinks,
              AlertDeskOptions options = {});
    ~AlertDesk() override;
    AlertDesk(const AlertDesk&) = delete;
    AlertDesk& operator=(const AlertDesk&) = delete;

    /// From any thread; the sinks are told on the desk's executor. What is worse than what was told is told at once.
    void raise(Alert alert) override;

    /// Reminds, until it is cancelled. Without it repeats are counted and nobody hears of them.
    [[nodiscard]] Task<void> run();

private:
    struct State;
    static Task<void> remind(std::shared_ptr<State> state);
    std::shared_ptr<State> state_;
};

}  // namespace fencepost::alerts
