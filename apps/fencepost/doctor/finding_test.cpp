#include "doctor/finding.hpp"

#include <gtest/gtest.h>

namespace fencepost::doctor {
namespace {

TEST(Finding, PrintsALineAndAdvice) {
    EXPECT_EQ(to_text(good("database", "reached"), {}), "✓ database: reached\n");
    EXPECT_EQ(to_text(broken("keys", "missing", "make some"), {}), "✗ keys: missing\n    to do: make some\n");
    EXPECT_EQ(to_text(doubtful("a", "b", "c"), {.colours = true}), "\x1b[33m!\x1b[0m a: b\n    to do: c\n");
}

TEST(Finding, OnlyBrokenFindingsFailTheReport) {
    Findings findings{good("a", "b"), doubtful("c", "d", "e")};
    EXPECT_FALSE(any_broken(findings));
    EXPECT_EQ(to_json(findings), R"({"ok":true,"findings":[{"subject":"a","verdict":"good","what":"b"},)"
                                 R"({"subject":"c","verdict":"doubtful","what":"d","toDo":"e"}]})"
                                 "\n");
    findings.push_back(broken("f", "g", "h"));
    EXPECT_TRUE(any_broken(findings));
    EXPECT_TRUE(to_json(findings).starts_with(R"({"ok":false)"));
    EXPECT_EQ(summary_of(findings), "1 good, 1 doubtful, 1 broken\n");
}

}  // namespace
}  // namespace fencepost::doctor
