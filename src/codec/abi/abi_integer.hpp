// ABI encoding of signed and unsigned integers of 8 to 256 bits: one word in two's complement. Values that do not fit
// are refused; early Solidity encoders truncated them.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "codec/abi/abi_type.hpp"

namespace fencepost::codec {

/// Decimal digits, or "0x" and hexadecimal ones, preceded by "-" where the type is signed.
[[nodiscard]] Result<Bytes, ParseError> encode_abi_integer(const AbiType& type, std::string_view text);

/// A JSON number within ±(2^53-1): beyond that, programs that use doubles round it.
[[nodiscard]] Result<Bytes, ParseError> encode_abi_number(const AbiType& type, std::int64_t number);

}  // namespace fencepost::codec
