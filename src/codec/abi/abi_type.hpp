// The types of Solidity as its ABI knows them: what a function's signature is made of, and what says how an argument is
// written as bytes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fencepost::codec {

struct AbiType {
    enum class Kind {
        unsigned_integer,  // size: bits
        signed_integer,    // size: bits
        address,           //
        boolean,           //
        fixed_bytes,       // size: bytes
        bytes,             //
        string,            //
        array,             // of any length; inner: the element
        fixed_array,       // size: length; inner: the element
        tuple,             // inner: the components
    };
    Kind kind{};
    std::size_t size = 0;
    std::vector<AbiType> inner{};
    /// Of the parameter or component that has this type, where the signature gives it one.
    std::string name{};

    friend bool operator==(const AbiType&, const AbiType&) = default;
};

/// As the ABI spells it, without names: "(uint256,address)[2]".
[[nodiscard]] std::string canonical(const AbiType& type);

/// Whether the length of its encoding depends on the value: then an offset stands in its place, and the value after.
[[nodiscard]] bool is_dynamic(const AbiType& type);

}  // namespace fencepost::codec
