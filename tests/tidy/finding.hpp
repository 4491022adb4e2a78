// What a rule says about a place in the source tree: where, and in one sentence what to do about it.
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

/// One line per finding, "path:line: what", as compilers write it; empty when there is none.
[[nodiscard]] std::string report(const Findings& findings);

/// For EXPECT_TRUE: holds when there is no finding, and otherwise fails with the report.
[[nodiscard]] testing::AssertionResult clean(const Findings& findings);

/// "path:line" of each, for the tests of the rules.
[[nodiscard]] std::vector<std::string> places(const Findings& findings);

}  // namespace fencepost::tidy
