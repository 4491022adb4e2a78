// Plain-text keys for development. They are unprotected at their source, so the service refuses them unless it runs in
// development mode.
#pragma once

#include <vector>

#include "base/crypto/secret.hpp"
#include "codec/signature.hpp"

namespace fencepost::signers {

/// Hexadecimal keys separated by commas or blanks. Throws StartupError when `dev` is false, when there is no key or
/// when one is invalid; no message contains any part of a key.
[[nodiscard]] std::vector<codec::PrivateKey> dev_keys(const Secret& text, bool dev);

}  // namespace fencepost::signers
