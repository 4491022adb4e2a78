#include "base/text/printable.hpp"

#include <cstdint>

namespace fencepost {
namespace {

constexpr std::uint32_t not_a_character = 0xffff'ffff;

struct Character {
    std::uint32_t code = not_a_character;
    std::size_t length = 1;
};

std::size_t length_by_first(std::uint8_t first) {
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first < 0xe0) return 2;
    if (first >= 0xe0 && first < 0xf0) return 3;
    if (first >= 0xf0 && first < 0xf5) return 4;
    return 0;
}

// Shortest form only, no surrogates, nothing above U+10FFFF.
bool is_well_formed(std::uint32_t code, std::size_t length) {
    if (length == 3) return code >= 0x800 && (code < 0xd800 || code > 0xdfff);
    if (length == 4) return code >= 0x1'0000 && code <= 0x10'ffff;
    return true;
}

Character first_character(ByteView text) {
    const std::size_t length = length_by_first(text.front());
    if (length == 0 || length > text.size()) return {};
    if (length == 1) return {text.front(), 1};
    std::uint32_t code = text.front() & (0x7fU >> length);
    for (const std::uint8_t byte : text.subspan(1, length - 1)) {
        if ((byte & 0xc0U) != 0x80U) return {};
        code = code << 6U | (byte & 0x3fU);
    }
    if (!is_well_formed(code, length)) return {};
    return {code, length};
}

bool is_harmless(std::uint32_t code) {
    const bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029;
    const bool turns_text = code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
                            (code >= 0x2066 && code <= 0x2069) || code == 0x061c;
    return code != not_a_character && !is_control && !turns_text;
}

}  // namespace

std::string printable(ByteView text, std::size_t max_bytes) {
    std::string out;
    while (!text.empty()) {
        const Character character = first_character(text);
        if (out.size() + character.length > max_bytes) return out + "…";
        if (is_harmless(character.code)) {
            out.append(reinterpret_cast<const char*>(text.data()), character.length);
        } else {
            out += "\ufffd";
        }
        text = text.subspan(character.length);
    }
    return out;
}

}  // namespace fencepost
