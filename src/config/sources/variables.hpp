// Keys in the environment: FENCEPOST_CONFIRMATIONS_REQUIRED=12.
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

/// `known` are the settings of file and flags: a variable about a chain whose name has dashes means the one that is
/// there. A chain that is nowhere else has a name of one word. `used` are variables that the file names itself.
/// FENCEPOST_CONFIG names the file and is none of the keys; what Kubernetes sets for a service called fencepost is
/// nobody's mistake.
[[nodiscard]] Variables read_variables(const Environment& environment, const Settings& known,
                                       const std::set<std::string>& used);

}  // namespace fencepost::config
