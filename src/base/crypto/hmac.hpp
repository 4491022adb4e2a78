// HMAC-SHA256 (RFC 2104): authenticates messages that are posted to external HTTP endpoints.
#pragma once

#include <array>
#include <cstdint>

#include "base/bytes.hpp"

namespace fencepost {

[[nodiscard]] std::array<std::uint8_t, 32> hmac_sha256(ByteView key, ByteView message);

}  // namespace fencepost
