// ARCHITECTURE.md tells which file to read and which to touch. A name that no file has sends the reader searching.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "source_tree.hpp"

namespace fencepost::tidy {

/// Whether `name` is a file or a folder of the tree, or the end of one's path: "src/lane/loop/turn.cpp", "turn.cpp",
/// "lane/loop".
[[nodiscard]] bool is_in_tree(const SourceTree& tree, std::string_view name);

/// Each name in backticks that looks like a file (`turn.cpp`) or a path of this repository (`src/lane`) and is neither.
/// Names with "<" or "*" stand for files to be made, and are not judged.
[[nodiscard]] Findings missing_files(const SourceFile& document, const SourceTree& tree);

}  // namespace fencepost::tidy
