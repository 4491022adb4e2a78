// The port for log lines, written for the operator of a node. The message names the event; details are in fields, so
// that they can be searched. Never contains a key, a password, or the raw bytes of a transaction that is not on record.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/text/enum_names.hpp"

namespace fencepost {

enum class Severity {
    debug,  // every write, to follow each step
    info,
    warning,
    alert,  // needs an operator: a submitter that is stopped, a transaction that cannot continue by itself
};
FP_ENUM_NAMES(Severity, as_written, debug, info, warning, alert)

struct LogField {
    std::string_view name;
    std::string value;
};

/// Contract: write() does not block, fail or throw.
class Log {
public:
    virtual ~Log() = default;
    virtual void write(Severity severity, std::string_view message, std::initializer_list<LogField> fields = {}) = 0;
    /// Audit lines are written at every log level.
    virtual void write_audit(std::string_view message, std::initializer_list<LogField> fields) {
        write(Severity::info, message, fields);
    }
    /// Whether lines of this severity are written: lets a caller skip expensive formatting.
    [[nodiscard]] virtual bool enabled(Severity /*severity*/) const { return true; }
};

/// For tests and tools without a log.
class NoLog final : public Log {
public:
    void write(Severity /*severity*/, std::string_view /*message*/,
               std::initializer_list<LogField> /*fields*/) override {}
    [[nodiscard]] bool enabled(Severity /*severity*/) const override { return false; }
};

}  // namespace fencepost
