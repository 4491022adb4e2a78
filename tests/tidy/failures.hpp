// Checks docs/internals/failures.md, which lists known failures of transaction managers and the tests that show that
// Fencepost prevents them. A failure without a test would be an unchecked promise.
#pragma once

#include <set>
#include <string>

#include "source_tree.hpp"

namespace fencepost::tidy {

/// The failure numbers in a test's name: 1 and 7 for "LaneCrash.Failure01And07ACrash…".
[[nodiscard]] std::set<std::size_t> failures_of(const std::string& test);

/// Checks a table with one row per failure, in order, each with tests that carry its number. Failures in `excepted`
/// need no test.
[[nodiscard]] Findings check_failures(const SourceFile& table, const std::set<std::string>& tests,
                                      const std::set<std::size_t>& numbers, const std::set<std::size_t>& excepted);

/// Each test that a document names in backticks (`Suite.Name`, or `Suite.*` for a whole suite) and that does not exist.
[[nodiscard]] Findings unknown_tests(const SourceFile& document, const std::set<std::string>& tests);

}  // namespace fencepost::tidy
