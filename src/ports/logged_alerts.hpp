// Writes alerts to the log, for a process without alert sinks, so that none is lost.
#pragma once

#include "ports/alerts.hpp"
#include "ports/log.hpp"

namespace fencepost {

class LoggedAlerts final : public Alerts {
public:
    explicit LoggedAlerts(Log& log) : log_(log) {}

    void raise(Alert alert) override {
        log_.write(alert.level == AlertLevel::warning ? Severity::warning : Severity::alert, alert.message,
                   {{"alert", std::string(name_of(alert.kind))},
                    {"submitter", alert.submitter ? alert.submitter->to_string() : std::string()}});
    }

private:
    Log& log_;
};

}  // namespace fencepost
