// A log that also raises alerts: components that have only a log report problems with Severity::alert, and this class
// passes every line on and raises those as alerts.
#pragma once

#include "ports/alerts.hpp"
#include "ports/log.hpp"

namespace fencepost::alerts {

class AlertingLog final : public Log {
public:
    AlertingLog(Log& next, Alerts& alerts) : next_(next), alerts_(alerts) {}

    void write(Severity severity, std::string_view message, std::initializer_list<LogField> fields) override;
    void write_audit(std::string_view message, std::initializer_list<LogField> fields) override {
        next_.write_audit(message, fields);
    }
    [[nodiscard]] bool enabled(Severity severity) const override {
        return severity == Severity::alert || next_.enabled(severity);
    }

private:
    Log& next_;
    Alerts& alerts_;
};

}  // namespace fencepost::alerts
