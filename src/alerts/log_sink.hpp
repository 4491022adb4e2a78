// Alerts in the log, for who has nothing else.
#pragma once

#include "alerts/alert_sink.hpp"
#include "ports/log.hpp"

namespace fencepost::alerts {

class LogSink final : public AlertSink {
public:
    /// The plain log, not one that raises alerts: else each would raise the next.
    explicit LogSink(Log& log) : log_(log) {}

    /// What came from the log is not written there a second time; that it keeps coming is.
    void tell(const Notice& notice) override;

private:
    Log& log_;
};

}  // namespace fencepost::alerts
