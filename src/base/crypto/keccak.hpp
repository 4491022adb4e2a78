// Keccak-256 as Ethereum uses it: with the original padding, not that of SHA3-256.
#pragma once

#include <array>
#include <cstdint>

#include "base/bytes.hpp"

namespace fencepost {

[[nodiscard]] std::array<std::uint8_t, 32> keccak256(ByteView bytes);

}  // namespace fencepost
