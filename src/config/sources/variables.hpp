// Reads keys from the environment: FENCEPOST_CONFIRMATIONS_REQUIRED=12.
#pragma once

#include <set>
#include <string>

#include "config/keys/setting.hpp"
#include "config/sources/expand.hpp"

namespace fencepost::config {

struct Variables {
    Settings settings;
    Problems problems;
};

/// `known` are the settings of file and flags: they decide which chain a variable means when the chain's name has
/// dashes. Any other chain name is a single word. `used` are variables that the file expands itself. Ignores
/// FENCEPOST_CONFIG, which names the file, and the variables that Kubernetes sets for a service called fencepost.
[[nodiscard]] Variables read_variables(const Environment& environment, const Settings& known,
                                       const std::set<std::string>& used);

}  // namespace fencepost::config
