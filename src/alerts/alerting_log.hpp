// Code that has a log and no alerts says "a person must look" to the log. This log passes everything on, and raises
// those lines, too.
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
