// Finds files that are neither built nor included. They look maintained and rot. The build globs whole folders, so a
// file is only left out when it lies in the wrong place.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "source_tree.hpp"

namespace fencepost::tidy {

/// The files that a compile_commands.json compiles.
[[nodiscard]] std::set<std::string> compiled_files(const std::string& compile_commands);

/// Those under `top`, relative to it. A CMake unity file (.cxx) stands for the files it includes; `read` reads one.
[[nodiscard]] std::set<std::string> built_files(const std::set<std::string>& compiled, const std::string& top,
                                                const std::function<std::string(const std::string&)>& read);

/// Each .cpp of src, apps, tests and bench that is not built.
[[nodiscard]] Findings unbuilt_files(const SourceTree& tree, const std::set<std::string>& built);

/// Each header that no other file includes.
[[nodiscard]] Findings unused_headers(const SourceTree& tree);

}  // namespace fencepost::tidy
