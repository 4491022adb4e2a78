// One argument that is not made of others, from JSON to the ABI's bytes. An amount must arrive as it was written:
// integers are strings, or JSON numbers so small that no program on the way can have rounded them.
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

/// A length or an offset, as a word.
[[nodiscard]] Bytes abi_word_of(std::uint64_t number);

/// Whole words; for bytes and strings their length is the first. `type` is neither array nor tuple. The error says what
/// is wrong, without naming the argument.
[[nodiscard]] Result<Bytes, ParseError> encode_abi_value(const AbiType& type, const boost::json::value& value);

/// "a number", "an array"…: for errors.
[[nodiscard]] std::string_view kind_in_words(const boost::json::value& value);

}  // namespace fencepost::codec
