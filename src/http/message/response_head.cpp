#include "http/message/response_head.hpp"

#include <array>
#include <chrono>
#include <iterator>

#include <fmt/format.h>

#include "base/assert.hpp"

namespace fencepost::http {
namespace {

// RFC 9110, section 5.6.7: Sun, 06 Nov 1994 08:49:37 GMT. strftime would use the names of the locale.
std::string http_date(UnixTime time) {
    static constexpr std::array days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - day));
    return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", days.at(std::chrono::weekday(day).c_encoding()),
                       static_cast<unsigned>(date.day()), months.at(static_cast<unsigned>(date.month()) - 1),
                       static_cast<int>(date.year()), clock.hours().count(), clock.minutes().count(),
                       clock.seconds().count());
}

bool is_one_line(std::string_view text) { return text.find_first_of("\r\n") == std::string_view::npos; }

}  // namespace

std::string response_head(const Response& response, bool keep_alive, UnixTime now) {
    std::string head = fmt::format("HTTP/1.1 {} {}\r\nDate: {}\r\nConnection: {}\r\nContent-Length: {}\r\n",
                                   static_cast<int>(response.status), reason_phrase(response.status), http_date(now),
                                   keep_alive ? "keep-alive" : "close", response.body.size());
    const auto add = [&head](std::string_view name, std::string_view value) {
        FP_ASSERT(is_one_line(name) && is_one_line(value), "a header field has a line break: {}", name);
        fmt::format_to(std::back_inserter(head), "{}: {}\r\n", name, value);
    };
    if (!response.content_type.empty()) add("Content-Type", response.content_type);
    for (const auto& [name, value] : response.headers)
        add(name, value);
    return head += "\r\n";
}

}  // namespace fencepost::http
