// Formats log entries and passes them to the sink.
#include "telemetry/line_log.hpp"

namespace fencepost::telemetry {

void LineLog::write(Severity severity, std::string_view message, std::initializer_list<LogField> fields) {
    if (enabled(severity)) write_line(severity, message, fields);
}

void LineLog::write_audit(std::string_view message, std::initializer_list<LogField> fields) {
    write_line(Severity::info, message, fields);
}

void LineLog::write_line(Severity severity, std::string_view message, std::initializer_list<LogField> fields) {
    out_.take(to_line({.time = clock_.unix_now(),
                       .severity = severity,
                       .message = message,
                       .fields = fields,
                       .common_fields = options_.common_fields},
                      options_.format));
}

}  // namespace fencepost::telemetry
