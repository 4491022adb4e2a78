// Which function of a contract is meant, as people write it: "transfer(address,uint256)", or the line copied from the
// contract, "function transfer(address to, uint256 amount) external returns (bool)".
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
inline constexpr std::size_t max_abi_depth = 16;         // tuples and arrays in each other

/// Takes every type of the ABI that Solidity can pass; names of parameters, data locations, visibility, mutability and
/// what is returned may stand there and change nothing. A name that is a type's is refused: it is a forgotten comma.
[[nodiscard]] Result<AbiFunction, ParseError> parse_abi_signature(std::string_view text);

/// "transfer(address,uint256)": what the selector is the hash of.
[[nodiscard]] std::string canonical(const AbiFunction& function);

/// The first four bytes of a call.
[[nodiscard]] AbiSelector selector_of(const AbiFunction& function);

}  // namespace fencepost::codec
