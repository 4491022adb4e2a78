// The log of a node: one line per entry with time, severity, message and fields.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ports/clock.hpp"
#include "ports/log.hpp"
#include "telemetry/line_sink.hpp"
#include "telemetry/log_line.hpp"

namespace fencepost::telemetry {

struct LogOptions {
    LogFormat format = LogFormat::text;
    /// Less severe entries are not written.
    Severity least = Severity::info;
    /// Added to every line: identify the node. The names must outlive the log.
    std::vector<LogField> common_fields{};
};

/// Safe to call from any thread; uses only the clock's unix_now().
class LineLog final : public Log {
public:
    LineLog(const Clock& clock, LineSink& out, LogOptions options = {})
        : clock_(clock),
          out_(out),
          options_(std::move(options)) {}

    void write(Severity severity, std::string_view message, std::initializer_list<LogField> fields) override;
    void write_audit(std::string_view message, std::initializer_list<LogField> fields) override;
    [[nodiscard]] bool enabled(Severity severity) const override { return severity >= options_.least; }

private:
    void write_line(Severity severity, std::string_view message, std::initializer_list<LogField> fields);

    const Clock& clock_;
    LineSink& out_;
    const LogOptions options_;
};

}  // namespace fencepost::telemetry
