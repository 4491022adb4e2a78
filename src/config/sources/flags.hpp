// Reads keys from the command line: --confirmations.required 12, or with an equals sign.
#pragma once

#include <string>
#include <vector>

#include "config/keys/setting.hpp"

namespace fencepost::config {

struct Flags {
    Settings settings;
    Problems problems;
};

[[nodiscard]] Flags read_flags(const std::vector<std::string>& arguments);

}  // namespace fencepost::config
