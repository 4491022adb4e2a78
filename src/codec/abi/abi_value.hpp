// Encodes one elementary argument from JSON. Amounts must arrive exactly: integers are strings, or JSON numbers too
// small to be rounded by any program in between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <boost/json/fwd.hpp>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "codec/abi/abi_type.hpp"

namespace fencepost::codec {

inline constexpr std::size_t abi_word = 32;

/// A length or an offset as a word.
[[nodiscard]] Bytes abi_word_of(std::uint64_t number);

/// Whole words; bytes and strings start with their length. `type` is neither array nor tuple. The error does not name
/// the argument.
[[nodiscard]] Result<Bytes, ParseError> encode_abi_value(const AbiType& type, const boost::json::value& value);

/// "a number", "an array"…: for error messages.
[[nodiscard]] std::string_view kind_in_words(const boost::json::value& value);

}  // namespace fencepost::codec
