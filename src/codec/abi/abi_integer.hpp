// Integers of 8 to 256 bits, with and without sign, as the ABI writes them: a word in two's complement. What does not
// fit is refused, where Solidity's own encoders of old have cut it.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "codec/abi/abi_type.hpp"

namespace fencepost::codec {

/// Decimal digits, or hexadecimal ones after "0x", with a "-" before them where the type has a sign.
[[nodiscard]] Result<Bytes, ParseError> encode_abi_integer(const AbiType& type, std::string_view text);

/// A number of JSON; nothing beyond ±(2^53-1), from where on programs that read it as a double round it.
[[nodiscard]] Result<Bytes, ParseError> encode_abi_number(const AbiType& type, std::int64_t number);

}  // namespace fencepost::codec
