// Canonical signatures and selectors.
#include "codec/abi/abi_signature.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "base/crypto/keccak.hpp"
#include "codec/abi/abi_parser.hpp"

namespace fencepost::codec {

Result<AbiFunction, ParseError> parse_abi_signature(std::string_view text) { return AbiParser(text).function(); }

std::string canonical(const AbiFunction& function) {
    return function.name + canonical(AbiType{.kind = AbiType::Kind::tuple, .inner = function.parameters});
}

AbiSelector selector_of(const AbiFunction& function) {
    const auto hash = keccak256(as_bytes(canonical(function)));
    AbiSelector selector{};
    std::ranges::copy_n(hash.begin(), selector.size(), selector.begin());
    return selector;
}

}  // namespace fencepost::codec
