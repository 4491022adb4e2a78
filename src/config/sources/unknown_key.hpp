// The problem report for an unknown key, with the key that was probably meant.
#pragma once

#include "config/keys/setting.hpp"
#include "config/sources/path.hpp"

namespace fencepost::config {

[[nodiscard]] Problem unknown_key(const Setting& setting, const Location& at);

}  // namespace fencepost::config
