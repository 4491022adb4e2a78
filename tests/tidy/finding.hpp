// A violation of a rule at a place in the source tree, with one sentence that says what to do about it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fencepost::tidy {

struct Finding {
    std::string path;
    std::size_t line = 0;
    std::string what;

    friend bool operator==(const Finding&, const Finding&) = default;
};

using Findings = std::vector<Finding>;

/// One line per finding, "path:line: what", as compilers write it; empty without findings.
[[nodiscard]] std::string report(const Findings& findings);

/// For EXPECT_TRUE: succeeds without findings, otherwise fails with the report.
[[nodiscard]] testing::AssertionResult clean(const Findings& findings);

/// "path:line" of each finding, for the tests of the rules.
[[nodiscard]] std::vector<std::string> places(const Findings& findings);

}  // namespace fencepost::tidy
