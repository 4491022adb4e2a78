#include "base/crypto/stable_hash.hpp"

#include <cstddef>

#include "base/crypto/keccak.hpp"

namespace fencepost {

std::uint64_t stable_hash(std::string_view text) {
    const auto digest = keccak256(as_bytes(text));
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < sizeof(number); ++i)
        number = number << 8U | digest[i];
    return number;
}

}  // namespace fencepost
