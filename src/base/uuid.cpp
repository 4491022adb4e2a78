#include "base/uuid.hpp"

#include "base/assert.hpp"
#include "base/text/hex.hpp"

namespace fencepost {
namespace {

constexpr std::size_t text_length = 36;
constexpr bool is_dash_position(std::size_t i) { return i == 8 || i == 13 || i == 18 || i == 23; }

constexpr std::uint16_t counter_max = 0x0fff;

}  // namespace

Result<Uuid, ParseError> Uuid::parse(std::string_view text) {
    const auto refuse = [text] { return err(ParseError{fmt::format("\"{}\" is not a UUID", text)}); };
    if (text.size() != text_length) return refuse();

    std::string digits;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool fits = is_dash_position(i) ? text[i] == '-' : hex_digit(text[i]) >= 0;
        if (!fits) return refuse();
        if (!is_dash_position(i)) digits.push_back(text[i]);
    }
    const auto bytes = from_hex(digits);
    FP_ASSERT(bytes.has_value());
    return Uuid{*UuidBytes::from(*bytes)};
}

std::string Uuid::to_string() const {
    std::string text = to_hex(view());
    for (const std::size_t dash : {8UL, 13UL, 18UL, 23UL})
        text.insert(dash, 1, '-');
    return text;
}

std::optional<UnixTime> Uuid::made_at() const {
    if (version() != 7) return std::nullopt;
    std::int64_t ms = 0;
    for (std::size_t i = 0; i < 6; ++i)
        ms = (ms << 8U) | data[i];
    return UnixTime(std::chrono::milliseconds(ms));
}

Uuid UuidV7Generator::next(UnixTime now, std::uint64_t random) {
    const auto now_ms = static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count());
    if (now_ms > last_ms_) {
        last_ms_ = now_ms;
        // Half of the counter's range is left free, so that it seldom overflows into the next millisecond.
        counter_ = static_cast<std::uint16_t>(random >> 53U);
    } else if (counter_ < counter_max) {
        ++counter_;
    } else {
        ++last_ms_;
        counter_ = 0;
    }

    Uuid id;
    for (std::size_t i = 0; i < 6; ++i)
        id.data[i] = static_cast<std::uint8_t>(last_ms_ >> (40 - 8 * i));
    id.data[6] = static_cast<std::uint8_t>(0x70U | (counter_ >> 8U));
    id.data[7] = static_cast<std::uint8_t>(counter_);
    for (std::size_t i = 0; i < 8; ++i)
        id.data[8 + i] = static_cast<std::uint8_t>(random >> (56 - 8 * i));
    id.data[8] = static_cast<std::uint8_t>((id.data[8] & 0x3fU) | 0x80U);
    return id;
}

}  // namespace fencepost
