// Canonical names of ABI types, and which types are dynamic.
#include "codec/abi/abi_type.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.hpp"

namespace fencepost::codec {
namespace {

std::string canonical_tuple(const std::vector<AbiType>& components) {
    std::string text = "(";
    for (const auto& component : components) {
        if (text.size() > 1) text += ',';
        text += canonical(component);
    }
    return text + ")";
}

}  // namespace

std::string canonical(const AbiType& type) {
    switch (type.kind) {
        case AbiType::Kind::unsigned_integer:
            return fmt::format("uint{}", type.size);
        case AbiType::Kind::signed_integer:
            return fmt::format("int{}", type.size);
        case AbiType::Kind::address:
            return "address";
        case AbiType::Kind::boolean:
            return "bool";
        case AbiType::Kind::fixed_bytes:
            return fmt::format("bytes{}", type.size);
        case AbiType::Kind::bytes:
            return "bytes";
        case AbiType::Kind::string:
            return "string";
        case AbiType::Kind::array:
            return canonical(type.inner.front()) + "[]";
        case AbiType::Kind::fixed_array:
            return fmt::format("{}[{}]", canonical(type.inner.front()), type.size);
        case AbiType::Kind::tuple:
            return canonical_tuple(type.inner);
    }
    FP_UNREACHABLE();
}

bool is_dynamic(const AbiType& type) {
    switch (type.kind) {
        case AbiType::Kind::bytes:
        case AbiType::Kind::string:
        case AbiType::Kind::array:
            return true;
        case AbiType::Kind::fixed_array:
        case AbiType::Kind::tuple:
            return std::ranges::any_of(type.inner, is_dynamic);
        case AbiType::Kind::unsigned_integer:
        case AbiType::Kind::signed_integer:
        case AbiType::Kind::address:
        case AbiType::Kind::boolean:
        case AbiType::Kind::fixed_bytes:
            return false;
    }
    FP_UNREACHABLE();
}

}  // namespace fencepost::codec
