#include "api/auth/api_key.hpp"

#include <algorithm>
#include <array>

#include "base/crypto/kernel_random.hpp"

namespace fencepost::api {
namespace {

constexpr std::string_view prefix = "fp_";

bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_';
}

}  // namespace

Secret generate_api_key() {
    static constexpr std::string_view digits = "0123456789abcdef";
    std::array<std::uint8_t, 32> random{};
    fill_from_kernel(random);
    // Written into a buffer that is wiped afterwards, unlike the result of to_hex().
    std::array<std::uint8_t, prefix.size() + 2 * random.size()> text{};
    auto at = std::ranges::copy(prefix, text.begin()).out;
    for (const auto byte : random) {
        *at++ = static_cast<std::uint8_t>(digits[byte >> 4U]);
        *at++ = static_cast<std::uint8_t>(digits[byte & 0xfU]);
    }
    Secret key(std::string_view(reinterpret_cast<const char*>(text.data()), text.size()));
    wipe(random);
    wipe(text);
    return key;
}

Sha256 hash_of_api_key(std::string_view key) { return sha256(as_bytes(key)); }

bool is_key_name(std::string_view name) {
    constexpr std::size_t longest = 64;
    return !name.empty() && name.size() <= longest && std::ranges::all_of(name, is_name_character);
}

}  // namespace fencepost::api
