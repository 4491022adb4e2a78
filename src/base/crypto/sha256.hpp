// SHA-256, for storing a digest instead of a high-entropy secret such as an API key. (A password has less entropy and
// needs a slow function.)
#pragma once

#include "base/bytes.hpp"

namespace fencepost {

using Sha256 = FixedBytes<32, struct Sha256Tag>;

[[nodiscard]] Sha256 sha256(ByteView message);

/// Constant time, so that timing does not reveal how many bytes match.
[[nodiscard]] bool equal_in_constant_time(const Sha256& a, const Sha256& b);

}  // namespace fencepost
