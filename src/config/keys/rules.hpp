// What must hold between keys, where each by itself may be right.
#pragma once

#include "config/config.hpp"
#include "config/keys/setting.hpp"

namespace fencepost::config {

/// The settings say where a key was set.
void check_rules(const Config& config, const Settings& settings, Problems& problems);

}  // namespace fencepost::config
