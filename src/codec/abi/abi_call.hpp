// Encodes a contract call from a function signature and JSON arguments, for callers without an ABI encoder:
//
//     encode_call("transfer(address,uint256)", R"(["0x…", "1000000000000000000"])")
//
// returns the data of the transaction (Solidity's "Contract ABI Specification", strict mode).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "base/text/enum_names.hpp"

namespace fencepost::codec {

/// More than any node accepts in one transaction.
inline constexpr std::size_t max_abi_call = 128UL * 1024;
/// Limit of the arguments as JSON: a call of maximum size in the most verbose notation.
inline constexpr std::size_t max_abi_arguments = 8 * max_abi_call;

struct AbiError {
    enum class Kind {
        signature,  // cannot be parsed
        arguments,  // one of them, or their number, does not match the signature
        too_large,  // the arguments, or the resulting call
    };
    Kind kind{};
    /// The wrong argument as a JSON pointer into the array of arguments: "/1/0/amount". Empty when no single one is
    /// wrong.
    std::string pointer;
    /// "argument 2 (amount: uint8): 300 does not fit".
    std::string what;

    friend bool operator==(const AbiError&, const AbiError&) = default;
};

/// `arguments` is JSON text, which keeps the JSON library out of this header: an array with one value per parameter.
/// - integers: strings, decimal or 0x and hexadecimal; or JSON integers below 2^53. Never doubles;
/// - addresses: mixed case must have a valid checksum (EIP-55);
/// - bytes: 0x and an even number of digits; for bytesN exactly N bytes;
/// - arrays: arrays; tuples: arrays, or objects when the signature names every component.
[[nodiscard]] Result<Bytes, AbiError> encode_call(std::string_view signature, std::string_view arguments);

}  // namespace fencepost::codec

template <>
inline constexpr fencepost::EnumNames<fencepost::codec::AbiError::Kind, 3>
    fencepost::enum_names<fencepost::codec::AbiError::Kind>{{
        {fencepost::codec::AbiError::Kind::signature, "signature"},
        {fencepost::codec::AbiError::Kind::arguments, "arguments"},
        {fencepost::codec::AbiError::Kind::too_large, "too_large"},
    }};
