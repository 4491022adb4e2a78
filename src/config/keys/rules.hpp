// Checks rules that concern several keys, each of which may be valid alone.
#pragma once

#include "config/config.hpp"
#include "config/keys/setting.hpp"

namespace fencepost::config {

/// `settings` says where a key was set, for the error.
void check_rules(const Config& config, const Settings& settings, Problems& problems);

}  // namespace fencepost::config
