// From what was set, key by key, to the structs: first what holds for all, then each chain, then each submitter, each
// beginning as a copy of what stands above it.
#pragma once

#include "config/config.hpp"
#include "config/keys/setting.hpp"

namespace fencepost::config {

/// What cannot be used is added to the problems, and left out.
[[nodiscard]] Config assemble(const Settings& settings, Problems& problems);

}  // namespace fencepost::config
