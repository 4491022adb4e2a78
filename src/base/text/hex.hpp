// Hexadecimal encoding, as Ethereum ("0x…") and as logs and tests use it.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace fencepost {

/// Lower case, without a prefix.
[[nodiscard]] std::string to_hex(ByteView bytes);

/// Lower case, with "0x".
[[nodiscard]] std::string to_hex_prefixed(ByteView bytes);

/// Accepts either case, with or without "0x"; rejects an odd number of digits and any other character.
[[nodiscard]] Result<Bytes, ParseError> from_hex(std::string_view text);

/// The value of one hexadecimal digit of either case, or -1.
[[nodiscard]] int hex_digit(char c);

}  // namespace fencepost
