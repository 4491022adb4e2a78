// Where in the configuration a path leads: which scope, which entry of it, and which key there.
#pragma once

#include <string>
#include <string_view>

#include "config/keys/keys.hpp"

namespace fencepost::config {

struct Location {
    Scope scope = Scope::top;
    /// Of the chain, submitter or signer, and of the chain's endpoint; empty at the top.
    std::string entry{};
    std::string endpoint{};
    /// Empty when the path ends before a key.
    std::string key{};
};

[[nodiscard]] Location locate(std::string_view path);

/// The name of the map that holds the entries of a scope: "chains". Of an endpoint, inside its chain.
[[nodiscard]] std::string_view map_of(Scope scope);

/// lease.renewInterval → LEASE_RENEW_INTERVAL, base-sepolia → BASE_SEPOLIA.
[[nodiscard]] std::string variable_part(std::string_view name);

/// Small letters, digits and dashes.
[[nodiscard]] bool is_entry_name(std::string_view name);

}  // namespace fencepost::config
