// Keywords of a function signature: type names without brackets, and the modifiers around them.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "codec/abi/abi_type.hpp"

namespace fencepost::codec {

/// "uint8", "address", "bytes32"…; "uint" and "int" mean 256 bits. The error explains what is wrong with a word that
/// resembles a type.
[[nodiscard]] Result<AbiType, ParseError> abi_type_of(std::string_view word);

/// Whether a word can only be a type, and so is not a name.
[[nodiscard]] bool is_abi_type(std::string_view word);

/// memory, calldata, storage: where Solidity keeps an argument; irrelevant to the ABI.
[[nodiscard]] bool is_data_location(std::string_view word);

/// external, view…: what may follow the parameters of an externally callable function.
[[nodiscard]] bool is_function_modifier(std::string_view word);

}  // namespace fencepost::codec
