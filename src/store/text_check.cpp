#include "store/text_check.hpp"

#include <algorithm>
#include <cstdint>

namespace fencepost::store {
namespace {

constexpr std::size_t max_length = 256;

// How many bytes the character that starts here has; 0 if it is none (RFC 3629: no overlong form, no surrogate).
std::size_t utf8_length(std::string_view rest) {
    const auto byte = [&rest](std::size_t i) { return static_cast<std::uint8_t>(rest[i]); };
    const auto lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || rest.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0U) != 0x80) return 0;
    }
    const auto second = byte(1);
    const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
    const bool surrogate = lead == 0xed && second >= 0xa0;
    const bool too_high = lead == 0xf4 && second >= 0x90;
    return overlong || surrogate || too_high ? 0 : length;
}

}  // namespace

std::string why_not_storable(std::string_view request_id) {
    if (request_id.empty()) return "a request id must not be empty";
    if (request_id.size() > max_length) return "a request id has at most 256 bytes";
    if (request_id.contains('\0')) return "a request id must not contain a NUL";
    for (auto rest = request_id; !rest.empty();) {
        const auto length = utf8_length(rest);
        if (length == 0) return "a request id must be UTF-8";
        rest.remove_prefix(length);
    }
    return "";
}

std::string storable(std::string_view text) {
    constexpr std::string_view replacement = "\xef\xbf\xbd";
    std::string result;
    while (!text.empty()) {
        const std::size_t length = text.front() == '\0' ? 0 : utf8_length(text);
        result += length == 0 ? replacement : text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return result;
}

}  // namespace fencepost::store
