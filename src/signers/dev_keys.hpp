// Plain keys, for development: nothing protects them where they come from, so a service that was not told that it is a
// toy refuses them.
#pragma once

#include <vector>

#include "base/crypto/secret.hpp"
#include "codec/signature.hpp"

namespace fencepost::signers {

/// Hexadecimal keys with commas or blanks between them. Throws StartupError when `dev` is false, when there is none and
/// when one is no key; no message contains any part of them.
[[nodiscard]] std::vector<codec::PrivateKey> dev_keys(const Secret& text, bool dev);

}  // namespace fencepost::signers
