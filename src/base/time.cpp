#include "base/time.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace fencepost {
namespace {

std::string to_seconds(UnixTime time) {
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(time - day);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                       clock.minutes().count(), clock.seconds().count());
}

std::int64_t microseconds_of(UnixTime time) { return (time - std::chrono::floor<std::chrono::seconds>(time)).count(); }

// A left-to-right reader; after a failed read every further read fails.
class Reader {
public:
    explicit Reader(std::string_view text) : rest_(text) {}

    int number(std::size_t digits) {
        int value = 0;
        for (std::size_t i = 0; i < digits; ++i) {
            const char c = next();
            if (c < '0' || c > '9') failed_ = true;
            value = value * 10 + (c - '0');
        }
        return failed_ ? 0 : value;
    }
    /// One of these characters must follow.
    char one_of(std::string_view choices) {
        const char c = next();
        if (!choices.contains(c) || c == 0) failed_ = true;
        return c;
    }
    std::int64_t microseconds_after_a_point() {
        if (rest_.empty() || rest_.front() != '.') return 0;
        rest_.remove_prefix(1);
        const auto digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
        if (digits == 0 || digits > 9) failed_ = true;
        std::int64_t value = 0;
        for (std::size_t i = 0; i < 6; ++i)
            value = value * 10 + (i < digits ? rest_[i] - '0' : 0);
        rest_.remove_prefix(digits);
        return value;
    }
    [[nodiscard]] bool is_well_read() const { return !failed_ && rest_.empty(); }

private:
    char next() {
        if (rest_.empty()) {
            failed_ = true;
            return 0;
        }
        const char c = rest_.front();
        rest_.remove_prefix(1);
        return c;
    }

    std::string_view rest_;
    bool failed_ = false;
};

struct Offset {
    int sign = 0;
    std::chrono::hours hours{};
    std::chrono::minutes minutes{};
};

Offset read_offset(Reader& reader) {
    const char sign = reader.one_of("Zz+-");
    if (sign != '+' && sign != '-') return {};
    Offset offset{.sign = sign == '+' ? 1 : -1};
    offset.hours = std::chrono::hours(reader.number(2));
    reader.one_of(":");
    offset.minutes = std::chrono::minutes(reader.number(2));
    return offset;
}

std::optional<UnixTime> read_time(std::string_view text) {
    Reader reader(text);
    const std::chrono::year year(reader.number(4));
    reader.one_of("-");
    const std::chrono::month month(static_cast<unsigned>(reader.number(2)));
    reader.one_of("-");
    const std::chrono::day day(static_cast<unsigned>(reader.number(2)));
    reader.one_of("Tt");
    const std::chrono::hours hours(reader.number(2));
    reader.one_of(":");
    const std::chrono::minutes minutes(reader.number(2));
    reader.one_of(":");
    const std::chrono::seconds seconds(reader.number(2));
    const std::chrono::microseconds fraction(reader.microseconds_after_a_point());
    const auto offset = read_offset(reader);
    const std::chrono::year_month_day date(year, month, day);
    const bool in_range = date.ok() && hours.count() < 24 && minutes.count() < 60 && seconds.count() < 60 &&
                          offset.hours.count() < 24 && offset.minutes.count() < 60;
    if (!reader.is_well_read() || !in_range) return std::nullopt;
    const UnixTime local = std::chrono::sys_days(date) + hours + minutes + seconds + fraction;
    return local - offset.sign * (offset.hours + offset.minutes);
}

}  // namespace

std::string to_rfc3339(UnixTime time) { return fmt::format("{}.{:06}Z", to_seconds(time), microseconds_of(time)); }

std::string to_rfc3339_milliseconds(UnixTime time) {
    return fmt::format("{}.{:03}Z", to_seconds(time), microseconds_of(time) / 1'000);
}

Result<UnixTime, ParseError> parse_rfc3339(std::string_view text) {
    const auto time = read_time(text);
    if (!time || *time < UnixTime{}) {
        return err(
            ParseError{fmt::format("\"{}\" is not a time: use RFC 3339, for example 2026-11-15T21:41:26Z", text)});
    }
    return *time;
}

}  // namespace fencepost
