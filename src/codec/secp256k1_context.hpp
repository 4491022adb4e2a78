// The shared libsecp256k1 context. Private to this module.
#pragma once

#include <secp256k1.h>

namespace fencepost::codec {

/// Created on first use and never changed afterwards, so every thread may use it.
[[nodiscard]] const secp256k1_context* secp256k1();

}  // namespace fencepost::codec
