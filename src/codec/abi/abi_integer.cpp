// Parses integers and encodes them as ABI words.
#include "codec/abi/abi_integer.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include <fmt/format.h>

#include "base/text/hex.hpp"
#include "base/uint256.hpp"
#include "codec/excerpt.hpp"

namespace fencepost::codec {
namespace {

constexpr std::int64_t max_exact = (std::int64_t{1} << 53U) - 1;

std::size_t bits_of(const Uint256& value) {
    const auto bytes = value.to_big_endian();
    const auto* const first = std::ranges::find_if(bytes, [](std::uint8_t byte) { return byte != 0; });
    if (first == bytes.end()) return 0;
    return static_cast<std::size_t>(bytes.end() - first - 1) * 8 + static_cast<std::size_t>(std::bit_width(*first));
}

bool is_integer(std::string_view text) {
    const bool hexadecimal = text.starts_with("0x");
    if (hexadecimal) text.remove_prefix(2);
    return !text.empty() && std::ranges::all_of(text, [hexadecimal](char c) {
        const int digit = hex_digit(c);
        return digit >= 0 && (hexadecimal || digit < 10);
    });
}

bool fits(const AbiType& type, const Uint256& magnitude, bool negative) {
    if (type.kind == AbiType::Kind::unsigned_integer) return !negative && bits_of(magnitude) <= type.size;
    // There is one more negative value than positive ones.
    return bits_of(negative ? magnitude - 1 : magnitude) < type.size;
}

Uint256 two_complement(const Uint256& magnitude, bool negative) {
    return negative ? Uint256::max() - (magnitude - 1) : magnitude;
}

}  // namespace

Result<Bytes, ParseError> encode_abi_integer(const AbiType& type, std::string_view text) {
    const bool has_sign = text.starts_with('-');
    const auto digits = has_sign ? text.substr(1) : text;
    if (!is_integer(digits)) {
        return err(ParseError{fmt::format(
            "\"{}\" is not an integer: decimal digits are expected, or 0x and hexadecimal ones", excerpt_of(text))});
    }
    // Only digits remain, so a parse failure means "too large".
    const auto magnitude = Uint256::parse(digits);
    const bool negative = has_sign && magnitude && !magnitude->is_zero();
    if (!magnitude || !fits(type, *magnitude, negative)) {
        return err(ParseError{fmt::format("{} does not fit", excerpt_of(text))});
    }
    const auto word = two_complement(*magnitude, negative).to_big_endian();
    return Bytes(word.begin(), word.end());
}

Result<Bytes, ParseError> encode_abi_number(const AbiType& type, std::int64_t number) {
    if (number > max_exact || number < -max_exact) {
        return err(ParseError{fmt::format(
            "{} is a JSON number of 2^53 or more, which may have lost digits: write it as a string", number)});
    }
    return encode_abi_integer(type, std::to_string(number));
}

}  // namespace fencepost::codec
