// Raises log lines of severity alert as alerts.
#include "alerts/alerting_log.hpp"

#include <algorithm>

namespace fencepost::alerts {
namespace {

std::optional<SubmitterId> submitter_in(std::initializer_list<LogField> fields) {
    const auto* const field = std::ranges::find(fields, "submitter", &LogField::name);
    if (field == fields.end()) return std::nullopt;
    const auto submitter = SubmitterId::parse(field->value);
    return submitter ? std::optional(*submitter) : std::nullopt;
}

}  // namespace

void AlertingLog::write(Severity severity, std::string_view message, std::initializer_list<LogField> fields) {
    next_.write(severity, message, fields);
    if (severity == Severity::alert) {
        alerts_.raise(alert_of(AlertKind::logged, submitter_in(fields), std::string(message)));
    }
}

}  // namespace fencepost::alerts
