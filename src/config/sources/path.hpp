// Splits the path of a setting into scope, entry and key.
#pragma once

#include <string>
#include <string_view>

#include "config/keys/keys.hpp"

namespace fencepost::config {

struct Location {
    Scope scope = Scope::top;
    /// The name of the chain, submitter or signer, and of the chain's endpoint; empty for global keys.
    std::string entry{};
    std::string endpoint{};
    /// Empty when the path names no key.
    std::string key{};
};

[[nodiscard]] Location locate(std::string_view path);

/// The map that holds the entries of a scope: "chains". For endpoints: inside their chain.
[[nodiscard]] std::string_view map_of(Scope scope);

/// lease.renewInterval → LEASE_RENEW_INTERVAL, base-sepolia → BASE_SEPOLIA.
[[nodiscard]] std::string variable_part(std::string_view name);

/// Lower-case letters, digits and dashes.
[[nodiscard]] bool is_entry_name(std::string_view name);

}  // namespace fencepost::config
