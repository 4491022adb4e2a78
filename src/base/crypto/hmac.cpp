#include "base/crypto/hmac.hpp"

#include <botan/hmac.h>
#include <botan/sha2_32.h>

namespace fencepost {

std::array<std::uint8_t, 32> hmac_sha256(ByteView key, ByteView message) {
    Botan::HMAC hmac(new Botan::SHA_256);  // which owns it
    hmac.set_key(key.data(), key.size());
    hmac.update(message.data(), message.size());
    std::array<std::uint8_t, 32> code{};
    hmac.final(code.data());
    return code;
}

}  // namespace fencepost
