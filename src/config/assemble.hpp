// Builds the Config from single settings: first the global ones, then each chain, then each submitter. Each level
// starts as a copy of the level above.
#pragma once

#include "config/config.hpp"
#include "config/keys/setting.hpp"

namespace fencepost::config {

/// Reports settings that cannot be used in `problems` and leaves them out.
[[nodiscard]] Config assemble(const Settings& settings, Problems& problems);

}  // namespace fencepost::config
