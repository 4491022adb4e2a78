// The log of a node: one line for each entry, with the time, how bad it is, the sentence and its fields.
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
    /// What is less bad is not written.
    Severity least = Severity::info;
    /// On every line: which node it is. The names must outlive the log.
    std::vector<LogField> common_fields{};
};

/// From any thread; of the clock only unix_now() is used, which is the machine's.
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
