// Solidity's types as the ABI defines them: the elements of a function signature, which determine how arguments are
// encoded.
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
    /// Name of the parameter or component, if the signature gives one.
    std::string name{};

    friend bool operator==(const AbiType&, const AbiType&) = default;
};

/// Canonical ABI notation, without names: "(uint256,address)[2]".
[[nodiscard]] std::string canonical(const AbiType& type);

/// Whether the length of the encoding depends on the value: then an offset is written in place and the value in the
/// tail.
[[nodiscard]] bool is_dynamic(const AbiType& type);

}  // namespace fencepost::codec
