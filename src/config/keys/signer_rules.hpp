// Which keys a signer of each kind cannot do without.
#pragma once

#include <optional>
#include <string>

#include "config/config.hpp"

namespace fencepost::config {

/// What is missing, as a predicate.
[[nodiscard]] std::optional<std::string> missing_in(const SignerConfig& signer);

}  // namespace fencepost::config
