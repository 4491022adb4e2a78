// Writes alerts to the log, for installations without another destination.
#pragma once

#include "alerts/alert_sink.hpp"
#include "ports/log.hpp"

namespace fencepost::alerts {

class LogSink final : public AlertSink {
public:
    /// `log` must be the plain log, not an AlertingLog: otherwise each alert would raise the next.
    explicit LogSink(Log& log) : log_(log) {}

    /// An alert that came from the log is not written again; a reminder of it is.
    void notify(const Notice& notice) override;

private:
    Log& log_;
};

}  // namespace fencepost::alerts
