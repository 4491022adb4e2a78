// The configuration from what a person gave: a file, the environment and the command line.
#pragma once

#include "config/config.hpp"
#include "config/sources/gather.hpp"

namespace fencepost::config {

struct Loaded {
    Config config;
    /// What was set, and where; the rest are defaults.
    Settings settings;
};

/// All that is wrong is reported at once; nothing is used of a configuration with a problem in it.
[[nodiscard]] Result<Loaded, Problems> load(const Sources& sources);

}  // namespace fencepost::config
