// Checks docs/internals/requirements.md, which lists every requirement and the tests that verify it: no listed test may
// be missing and no requirement may get lost.
#pragma once

#include <set>
#include <string>

#include "source_tree.hpp"

namespace fencepost::tidy {

/// Every test that a line of the list can name: "Suite.Name" of the GoogleTest and RapidCheck macros, and the names in
/// add_test and fencepost_fuzz in CMake files.
[[nodiscard]] std::set<std::string> tests_in(const SourceTree& tree);

/// Checks a requirement list that must have `requirements` lines.
[[nodiscard]] Findings check_seeds(const SourceFile& list, const std::set<std::string>& tests,
                                   std::size_t requirements);

}  // namespace fencepost::tidy
