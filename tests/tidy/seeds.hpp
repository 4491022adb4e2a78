// docs/internals/requirements.md lists every requirement of the seeds and the tests that show it. A list that names
// tests which do not exist, or loses a requirement, would be worse than none.
#pragma once

#include <set>
#include <string>

#include "source_tree.hpp"

namespace fencepost::tidy {

/// Every test that a seeds line can name: "Suite.Name" of the GoogleTest and RapidCheck macros, and the names given to
/// add_test and fencepost_fuzz in CMake files.
[[nodiscard]] std::set<std::string> tests_in(const SourceTree& tree);

/// What is wrong with a seeds list of which `requirements` lines are expected.
[[nodiscard]] Findings check_seeds(const SourceFile& list, const std::set<std::string>& tests,
                                   std::size_t requirements);

}  // namespace fencepost::tidy
