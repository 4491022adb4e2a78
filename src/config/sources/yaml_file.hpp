// Reads a YAML file as a flat list: every value with its path of keys, its line and its column.
#pragma once

#include <cstddef>
#include <string>

#include "config/keys/setting.hpp"

namespace fencepost::config {

/// Larger files are rejected unread.
inline constexpr std::size_t longest_file = std::size_t{1024} * 1024;

struct ConfigFile {
    std::string name;
    std::string text;
};

struct FlatFile {
    Settings settings{};
    Problems problems{};
    /// False when it is not valid YAML: then that is the only problem, and there are no settings.
    bool is_whole = true;
};

/// Accepts maps, texts and lists of texts, in one document. Rejects YAML features that make a file mean something other
/// than it seems to: anchors and aliases (a short file can expand without end), tags, and duplicate keys. Returns the
/// other settings as well, so that all problems can be reported at once.
[[nodiscard]] FlatFile read_yaml(const ConfigFile& file);

}  // namespace fencepost::config
