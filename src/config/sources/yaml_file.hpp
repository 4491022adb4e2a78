// A YAML file, flattened: every value under the path of keys that leads to it, with its line and column.
#pragma once

#include <cstddef>
#include <string>

#include "config/keys/setting.hpp"

namespace fencepost::config {

/// A longer one is a mistake, and is not looked at.
inline constexpr std::size_t longest_file = std::size_t{1024} * 1024;

struct ConfigFile {
    std::string name;
    std::string text;
};

struct FlatFile {
    Settings settings{};
    Problems problems{};
    /// False when it is no YAML: then that is the only problem, and there are no settings.
    bool is_whole = true;
};

/// Takes the part of YAML that people mean: maps, texts and lists of texts, in one document. What makes a file mean
/// something else than it seems to is a problem: anchors and aliases (with which a short file can be endless), tags,
/// keys given twice. What was read besides is returned, too, so that all problems can be reported at once.
[[nodiscard]] FlatFile read_yaml(const ConfigFile& file);

}  // namespace fencepost::config
