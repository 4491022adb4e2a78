#include "api/query/wait_time.hpp"

#include <charconv>
#include <chrono>
#include <cstdint>

namespace fencepost::api {

Result<Duration, ParseError> parse_wait_time(std::string_view text) {
    const auto wrong = [] { return err(ParseError{"must be a number with ms, s or m, for example 30s"}); };
    std::uint32_t number = 0;
    const auto* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    if (error != std::errc{}) return wrong();
    const std::string_view unit(end, static_cast<std::size_t>(last - end));
    if (unit == "ms") return std::chrono::milliseconds(number);
    if (unit == "s") return std::chrono::seconds(number);
    if (unit == "m") return std::chrono::minutes(number);
    return wrong();
}

}  // namespace fencepost::api
