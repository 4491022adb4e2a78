// Formats a log entry as one line: a JSON object for programs, or text for people. Messages and fields contain
// untrusted text (node answers, revert reasons), so nothing in them may end the line, move a terminal's cursor or break
// the encoding.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "base/text/enum_names.hpp"
#include "base/time.hpp"
#include "ports/log.hpp"

namespace fencepost::telemetry {

enum class LogFormat { text, json };

struct LogEntry {
    UnixTime time{};
    Severity severity{};
    std::string_view message{};
    std::initializer_list<LogField> fields{};
    std::span<const LogField> common_fields{};  // fields of every entry of this node
};

/// Ends with "
/// " and contains no other. Very long values are cut.
[[nodiscard]] std::string to_line(const LogEntry& entry, LogFormat format);

}  // namespace fencepost::telemetry

template <>
inline constexpr fencepost::EnumNames<fencepost::telemetry::LogFormat, 2>
    fencepost::enum_names<fencepost::telemetry::LogFormat>{{
        {fencepost::telemetry::LogFormat::text, "text"},
        {fencepost::telemetry::LogFormat::json, "json"},
    }};
