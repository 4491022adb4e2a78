// Text and JSON formats of a log entry, with untrusted text escaped.
#include "telemetry/log_line.hpp"

#include <algorithm>
#include <array>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/bytes.hpp"
#include "base/text/printable.hpp"

namespace fencepost::telemetry {
namespace {

namespace json = boost::json;

constexpr std::size_t max_value = 4'096;

std::string clean(std::string_view text) { return printable(as_bytes(text), max_value); }

/// Names that every line has; a field with such a name must not replace them.
std::string key_of(const LogField& field) {
    static constexpr std::array<std::string_view, 3> taken{"time", "severity", "message"};
    const bool is_taken = std::ranges::find(taken, field.name) != taken.end();
    return clean(field.name) + (is_taken ? "_" : "");
}

std::string json_line(const LogEntry& entry) {
    json::object line{{"time", to_rfc3339(entry.time)},
                      {"severity", std::string(name_of(entry.severity))},
                      {"message", clean(entry.message)}};
    // The first field of a name wins: the entry's own fields come before the common ones.
    for (const auto& field : entry.fields)
        line.emplace(key_of(field), clean(field.value));
    for (const auto& field : entry.common_fields)
        line.emplace(key_of(field), clean(field.value));
    return json::serialize(line) + "\n";
}

/// Unchanged when it is a single plain word, otherwise quoted as in JSON.
std::string word(std::string_view value) {
    const auto text = clean(value);
    const bool is_plain = !text.empty() && text.find_first_of(" \"\\=") == std::string::npos;
    return is_plain ? text : json::serialize(json::string(text));
}

std::string_view capitals(Severity severity) {
    switch (severity) {
        case Severity::debug:
            return "DEBUG";
        case Severity::info:
            return "INFO";
        case Severity::warning:
            return "WARNING";
        case Severity::alert:
            return "ALERT";
    }
    FP_UNREACHABLE();
}

std::string text_line(const LogEntry& entry) {
    auto line = fmt::format("{} {:<7} {}", to_rfc3339(entry.time), capitals(entry.severity), clean(entry.message));
    for (const auto& field : entry.fields)
        line += fmt::format(" {}={}", word(field.name), word(field.value));
    for (const auto& field : entry.common_fields)
        line += fmt::format(" {}={}", word(field.name), word(field.value));
    return line + "\n";
}

}  // namespace

std::string to_line(const LogEntry& entry, LogFormat format) {
    return format == LogFormat::json ? json_line(entry) : text_line(entry);
}

}  // namespace fencepost::telemetry
