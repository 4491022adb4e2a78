// The single words of a signature: names of types without brackets, and the words that may stand around them.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "codec/abi/abi_type.hpp"

namespace fencepost::codec {

/// "uint8", "address", "bytes32"…; "uint" and "int" mean 256 bits. The error says what is wrong with a word that nearly
/// is one.
[[nodiscard]] Result<AbiType, ParseError> abi_type_of(std::string_view word);

/// Whether a word can only be a type, and so is no name.
[[nodiscard]] bool is_abi_type(std::string_view word);

/// memory, calldata, storage: where Solidity keeps an argument, which the ABI does not know.
[[nodiscard]] bool is_data_location(std::string_view word);

/// external, view…: what may follow the parameters of a function that can be called from outside.
[[nodiscard]] bool is_function_modifier(std::string_view word);

}  // namespace fencepost::codec
