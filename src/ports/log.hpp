// What is told to the person who runs a node. A message is one sentence; what it is about stands in fields, so that it
// can be searched. Never a key, a password, or the raw bytes of a transaction that is not on record.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/text/enum_names.hpp"

namespace fencepost {

enum class Severity {
    debug,  // every write, for who wants to follow each step
    info,
    warning,
    alert,  // a person must look: a key that is stopped, a transaction that cannot go on by itself
};
FP_ENUM_NAMES(Severity, as_written, debug, info, warning, alert)

struct LogField {
    std::string_view name;
    std::string value;
};

/// What an implementation promises: writing never waits, never fails, and never throws.
class Log {
public:
    virtual ~Log() = default;
    virtual void write(Severity severity, std::string_view message, std::initializer_list<LogField> fields = {}) = 0;
    /// Who did what: a line that is kept, however little else is asked for.
    virtual void write_audit(std::string_view message, std::initializer_list<LogField> fields) {
        write(Severity::info, message, fields);
    }
    /// Whether anybody hears it: who has much to format asks first.
    [[nodiscard]] virtual bool enabled(Severity /*severity*/) const { return true; }
};

/// For tests and tools that listen to nobody.
class NoLog final : public Log {
public:
    void write(Severity /*severity*/, std::string_view /*message*/,
               std::initializer_list<LogField> /*fields*/) override {}
    [[nodiscard]] bool enabled(Severity /*severity*/) const override { return false; }
};

}  // namespace fencepost
