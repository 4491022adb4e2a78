#include "base/crypto/keccak.hpp"

#include <botan/keccak.h>

namespace fencepost {

std::array<std::uint8_t, 32> keccak256(ByteView bytes) {
    // Creating the object costs more than hashing a transaction; final() resets it for the next use.
    thread_local Botan::Keccak_1600 keccak(256);
    std::array<std::uint8_t, 32> digest{};
    keccak.update(bytes.data(), bytes.size());
    keccak.final(digest.data());
    return digest;
}

}  // namespace fencepost
