// SHA-256, for what is kept instead of a secret that has no less entropy than the digest itself, such as an API key. (A
// password has less, and needs a slow function instead.)
#pragma once

#include "base/bytes.hpp"

namespace fencepost {

using Sha256 = FixedBytes<32, struct Sha256Tag>;

[[nodiscard]] Sha256 sha256(ByteView message);

/// Takes as long whatever the bytes are, so that time does not tell how many of them are right.
[[nodiscard]] bool equal_in_constant_time(const Sha256& a, const Sha256& b);

}  // namespace fencepost
