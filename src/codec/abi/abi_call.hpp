// A call of a contract by its function and arguments instead of by bytes, for callers who have no encoder at hand:
//
//     encode_call("transfer(address,uint256)", R"(["0x…", "1000000000000000000"])")
//
// gives what goes into a transaction's data. (Solidity's "Contract ABI Specification", strict mode.)
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "base/text/enum_names.hpp"

namespace fencepost::codec {

/// More than any node takes in one transaction.
inline constexpr std::size_t max_abi_call = 128UL * 1024;
/// Of the arguments as JSON: a call of the largest size, written as clumsily as one may.
inline constexpr std::size_t max_abi_arguments = 8 * max_abi_call;

struct AbiError {
    enum class Kind {
        signature,  // cannot be understood
        arguments,  // one of them, or their number, does not go with the signature
        too_large,  // the arguments, or the call they would make
    };
    Kind kind{};
    /// Which argument, as a JSON pointer from the array of them on: "/1/0/amount". Empty when no single one is wrong.
    std::string pointer;
    /// "argument 2 (amount: uint8): 300 does not fit".
    std::string what;

    friend bool operator==(const AbiError&, const AbiError&) = default;
};

/// `arguments` is JSON, so that no JSON library shows in this header: an array with a value for each parameter.
/// - integers: strings, decimal or 0x and hexadecimal; or JSON integers below 2^53. Never doubles;
/// - addresses: mixed case must carry the right checksum (EIP-55);
/// - bytes: 0x and an even number of digits, for bytesN exactly N bytes;
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
