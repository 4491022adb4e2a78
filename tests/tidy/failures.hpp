// docs/internals/failures.md lists how others fail and which tests show that we do not. A number without a test is a
// promise that no test keeps.
#pragma once

#include <set>
#include <string>

#include "source_tree.hpp"

namespace fencepost::tidy {

/// The numbers that a test's name carries: 1 and 7 of "LaneCrash.Failure01And07ACrash…".
[[nodiscard]] std::set<std::size_t> failures_of(const std::string& test);

/// What is wrong with a table of these failures, each in a row with the tests that carry its number, in order. Those in
/// `excepted` may go without a test.
[[nodiscard]] Findings check_failures(const SourceFile& table, const std::set<std::string>& tests,
                                      const std::set<std::size_t>& numbers, const std::set<std::size_t>& excepted);

/// Each test that a document names in backticks (`Suite.Name`, or `Suite.*` for a whole suite) and that does not exist.
[[nodiscard]] Findings unknown_tests(const SourceFile& document, const std::set<std::string>& tests);

}  // namespace fencepost::tidy
