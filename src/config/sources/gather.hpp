// What was set, from all sources: flags go before variables, and variables before the file.
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
    /// Each path once, in the order in which they were first seen.
    Settings settings{};
    Problems problems{};
    /// False when settings are missing, because the file could not be read to its end.
    bool is_whole = true;
};

[[nodiscard]] Gathered gather(const Sources& sources);

}  // namespace fencepost::config
