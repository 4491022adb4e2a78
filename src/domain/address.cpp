#include "domain/address.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/crypto/keccak.hpp"
#include "base/text/hex.hpp"

namespace fencepost {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

}  // namespace

Result<Address, ParseError> Address::parse(std::string_view text) {
    if (!text.starts_with("0x") || text.size() != 2 + 2 * length) {
        return err(ParseError{fmt::format("\"{}\" is not an address: it must be 0x and 40 hexadecimal digits", text)});
    }
    const auto bytes = from_hex(text);
    if (!bytes) return err(ParseError{fmt::format("\"{}\" is not an address: {}", text, bytes.error().what)});

    const Address address{*FixedBytes::from(*bytes)};
    const auto digits = text.substr(2);
    const bool mixed_case = std::ranges::any_of(digits, is_lower) && std::ranges::any_of(digits, is_upper);
    if (mixed_case && address.to_checksum() != text) {
        return err(ParseError{
            fmt::format("\"{}\" has a wrong EIP-55 checksum; is it mistyped? (all lower case skips the check)", text)});
    }
    return address;
}

std::string Address::to_lower() const { return to_hex_prefixed(view()); }

// EIP-55: a letter is upper case when the hash of the lower-case digits has a nibble of 8 or more at its position.
std::string Address::to_checksum() const {
    std::string digits = to_hex(view());
    const auto hash = keccak256(as_bytes(digits));
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const auto nibble = i % 2 == 0 ? hash[i / 2] >> 4U : hash[i / 2] & 0x0fU;
        if (is_lower(digits[i]) && nibble >= 8) digits[i] = static_cast<char>(digits[i] - 'a' + 'A');
    }
    return "0x" + digits;
}

}  // namespace fencepost
