// Everything a caller sends starts as text. No text may crash a parser, and every parsed value must be written back as
// text with the same meaning.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.hpp"
#include "base/text/hex.hpp"
#include "base/uint256.hpp"
#include "base/uuid.hpp"

namespace fencepost {
namespace {

void check_hex(std::string_view text) {
    const auto bytes = from_hex(text);
    if (!bytes) return;
    FP_ASSERT(from_hex(to_hex(*bytes)) == bytes);
    FP_ASSERT(from_hex(to_hex_prefixed(*bytes)) == bytes);
}

void check_uint256(std::string_view text) {
    const auto value = Uint256::parse(text);
    if (!value) return;
    FP_ASSERT(Uint256::parse(value->to_decimal()) == value);
    FP_ASSERT(Uint256::parse(value->to_quantity()) == value);
    FP_ASSERT(Uint256::from_big_endian(value->to_big_endian()) == *value);
}

void check_uuid(std::string_view text) {
    const auto uuid = Uuid::parse(text);
    if (!uuid) return;
    FP_ASSERT(Uuid::parse(uuid->to_string()) == uuid);
}

}  // namespace
}  // namespace fencepost

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    fencepost::check_hex(text);
    fencepost::check_uint256(text);
    fencepost::check_uuid(text);
    return 0;
}
