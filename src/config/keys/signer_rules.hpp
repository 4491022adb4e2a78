// The keys that each kind of signer requires.
#pragma once

#include <optional>
#include <string>

#include "config/config.hpp"

namespace fencepost::config {

/// The missing key as a predicate ("needs …"), if one is missing.
[[nodiscard]] std::optional<std::string> missing_keys_of(const SignerConfig& signer);

}  // namespace fencepost::config
