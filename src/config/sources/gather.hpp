// Collects the settings of all sources. Flags override variables, and variables override the file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/keys/setting.hpp"
#include "config/sources/expand.hpp"
#include "config/sources/yaml_file.hpp"

namespace fencepost::config {

struct Sources {
    std::optional<ConfigFile> file{};
    Environment environment{};
    std::vector<std::string> arguments{};
};

struct Gathered {
    /// Each path once, in the order of first appearance.
    Settings settings{};
    Problems problems{};
    /// False when settings are missing because the file could not be parsed to its end.
    bool is_whole = true;
};

[[nodiscard]] Gathered gather(const Sources& sources);

}  // namespace fencepost::config
