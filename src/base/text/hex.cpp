#include "base/text/hex.hpp"

namespace fencepost {
namespace {

void append_hex(std::string& out, ByteView bytes) {
    static constexpr std::string_view digits = "0123456789abcdef";
    auto at = out.size();
    out.resize(at + bytes.size() * 2);
    for (const std::uint8_t byte : bytes) {
        out[at++] = digits[byte >> 4U];
        out[at++] = digits[byte & 0x0fU];
    }
}

}  // namespace

std::string to_hex(ByteView bytes) {
    std::string out;
    out.reserve(bytes.size() * 2);
    append_hex(out, bytes);
    return out;
}

std::string to_hex_prefixed(ByteView bytes) {
    std::string out;
    out.reserve(2 + bytes.size() * 2);
    out = "0x";
    append_hex(out, bytes);
    return out;
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

Result<Bytes, ParseError> from_hex(std::string_view text) {
    if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
    if (text.size() % 2 != 0) return err(ParseError{"hexadecimal text has an odd number of digits"});

    Bytes bytes;
    bytes.reserve(text.size() / 2);
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const int high = hex_digit(text[i]);
        const int low = hex_digit(text[i + 1]);
        if (high < 0 || low < 0) return err(ParseError{"not a hexadecimal digit in \"" + std::string(text) + "\""});
        bytes.push_back(static_cast<std::uint8_t>(high * 16 + low));
    }
    return bytes;
}

}  // namespace fencepost
