// Parses function signatures as people write them: "transfer(address,uint256)", or copied from the contract's source,
// "function transfer(address to, uint256 amount) external returns (bool)".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "codec/abi/abi_type.hpp"

namespace fencepost::codec {

using AbiSelector = std::array<std::uint8_t, 4>;

struct AbiFunction {
    std::string name;
    std::vector<AbiType> parameters;

    friend bool operator==(const AbiFunction&, const AbiFunction&) = default;
};

inline constexpr std::size_t max_abi_signature = 4'096;  // characters
inline constexpr std::size_t max_abi_depth = 16;         // nested tuples and arrays

/// Accepts every ABI type that Solidity can pass. Parameter names, data locations, visibility, mutability and return
/// types are allowed and ignored. A parameter name equal to a type is refused, because a comma is probably missing.
[[nodiscard]] Result<AbiFunction, ParseError> parse_abi_signature(std::string_view text);

/// "transfer(address,uint256)": the input of the selector hash.
[[nodiscard]] std::string canonical(const AbiFunction& function);

/// The first four bytes of a call.
[[nodiscard]] AbiSelector selector_of(const AbiFunction& function);

}  // namespace fencepost::codec
