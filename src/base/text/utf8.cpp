#include "base/text/utf8.hpp"

#include <cstdint>

namespace fencepost {

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

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const auto length = utf8_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

}  // namespace fencepost
