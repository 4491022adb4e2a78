// Loads the configuration from a file, the environment and the command line.
#pragma once

#include "config/config.hpp"
#include "config/sources/gather.hpp"

namespace fencepost::config {

struct Loaded {
    Config config;
    /// What was set, and where; all other keys have their defaults.
    Settings settings;
};

/// Reports all problems at once; a configuration with a problem is rejected as a whole.
[[nodiscard]] Result<Loaded, Problems> load(const Sources& sources);

}  // namespace fencepost::config
