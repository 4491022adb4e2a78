// A file that nothing builds or includes looks alive and rots. The build takes whole folders, so one can only be left
// out by lying in the wrong place.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "source_tree.hpp"

namespace fencepost::tidy {

/// The files that a compile_commands.json compiles.
[[nodiscard]] std::set<std::string> compiled_files(const std::string& compile_commands);

/// Those under `top`, relative to it. A unit of CMake's (.cxx) stands for the files that it includes; `read` reads one.
[[nodiscard]] std::set<std::string> built_files(const std::set<std::string>& compiled, const std::string& top,
                                                const std::function<std::string(const std::string&)>& read);

/// Each .cpp of src, apps, tests and bench that is not among the built ones.
[[nodiscard]] Findings unbuilt_files(const SourceTree& tree, const std::set<std::string>& built);

/// Each header that no other file includes.
[[nodiscard]] Findings unused_headers(const SourceTree& tree);

}  // namespace fencepost::tidy
