// The one context of libsecp256k1 that everything here shares. Private to this module.
#pragma once

#include <secp256k1.h>

namespace fencepost::codec {

/// Made at its first use and never changed after, so that every thread may use it.
[[nodiscard]] const secp256k1_context* secp256k1();

}  // namespace fencepost::codec
