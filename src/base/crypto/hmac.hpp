// Proof that a message comes from who knows a shared secret, and was not changed on its way (HMAC-SHA256, RFC 2104):
// for what we post to somebody else's HTTP endpoint.
#pragma once

#include <array>
#include <cstdint>

#include "base/bytes.hpp"

namespace fencepost {

[[nodiscard]] std::array<std::uint8_t, 32> hmac_sha256(ByteView key, ByteView message);

}  // namespace fencepost
