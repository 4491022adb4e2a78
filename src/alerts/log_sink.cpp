// Writes alerts to the log.
#include "alerts/log_sink.hpp"

#include <string>

namespace fencepost::alerts {

void LogSink::notify(const Notice& notice) {
    const auto& alert = notice.alert;
    if (alert.kind == AlertKind::logged && !notice.reminder) return;
    const auto severity = alert.level == AlertLevel::warning ? Severity::warning : Severity::alert;
    log_.write(severity, alert.message,
               {{"alert", std::string(name_of(alert.kind))},
                {"level", std::string(name_of(alert.level))},
                {"submitter", alert.submitter ? alert.submitter->to_string() : std::string()},
                {"times", std::to_string(notice.times)}});
}

}  // namespace fencepost::alerts
