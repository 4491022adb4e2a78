// Parses seconds and HTTP dates.
#include "jsonrpc/retry_after.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace fencepost::jsonrpc {
namespace {

constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

std::optional<std::uint32_t> number(std::string_view digits) {
    std::uint32_t value = 0;
    const auto* const end = digits.data() + digits.size();
    const auto [read, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc{} || read != end) return std::nullopt;
    return value;
}

bool is_all_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Only the format that servers must send: "Sun, 06 Nov 1994 08:49:37 GMT".
std::optional<UnixTime> parse_date(std::string_view text) {
    constexpr std::size_t length = 29;
    if (text.size() != length || !text.ends_with(" GMT")) return std::nullopt;
    const auto month = std::ranges::find(months, text.substr(8, 3));
    const auto day = number(text.substr(5, 2));
    const auto year = number(text.substr(12, 4));
    const auto hour = number(text.substr(17, 2));
    const auto minute = number(text.substr(20, 2));
    const auto second = number(text.substr(23, 2));
    if (month == months.end() || !day || !year || !hour || !minute || !second) return std::nullopt;
    const auto month_number = static_cast<unsigned>(month - months.begin()) + 1;
    const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)), std::chrono::month(month_number),
                                           std::chrono::day(*day)};
    if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
    return std::chrono::sys_days(date) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) +
           std::chrono::seconds(*second);
}

}  // namespace

std::optional<Duration> parse_retry_after(std::string_view value, UnixTime now) {
    if (is_all_digits(value)) {
        const auto seconds = number(value);
        return seconds ? std::min<Duration>(std::chrono::seconds(*seconds), max_retry_after) : max_retry_after;
    }
    const auto date = parse_date(value);
    if (!date) return std::nullopt;
    // Compared before subtracting: the difference of distant dates overflows nanoseconds.
    if (*date <= now) return Duration::zero();
    const auto wait = *date - now;
    constexpr auto longest = std::chrono::duration_cast<UnixTime::duration>(max_retry_after);
    return wait >= longest ? max_retry_after : Duration(wait);
}

}  // namespace fencepost::jsonrpc
