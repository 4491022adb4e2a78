#include "base/crypto/sha256.hpp"

#include <botan/mem_ops.h>
#include <botan/sha2_32.h>

namespace fencepost {

Sha256 sha256(ByteView message) {
    Botan::SHA_256 hash;
    hash.update(message.data(), message.size());
    Sha256 digest;
    hash.final(digest.data.data());
    return digest;
}

bool equal_in_constant_time(const Sha256& a, const Sha256& b) {
    return Botan::constant_time_compare(a.data.data(), b.data.data(), Sha256::length);
}

}  // namespace fencepost
