#include "source_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::tidy {
namespace {

using testing::ElementsAre;

TEST(SourceTree, ContainsThisFileAndNoBuildOutput) {
    EXPECT_TRUE(project().contains("tests/tidy/source_tree_test.cpp"));
    for (const auto& [path, text] : project())
        EXPECT_FALSE(path.starts_with("build/")) << path;
}

TEST(SourceTree, RefusesAFolderWithoutGitFiles) { EXPECT_THROW((void)load_tree("/nonexistent"), std::runtime_error); }

TEST(SourceTree, SplitsTextIntoLinesCountedFromOne) {
    EXPECT_THAT(lines_of("a\n\nb"), ElementsAre("a", "", "b"));
    EXPECT_THAT(lines_of("a\n"), ElementsAre("a"));
    EXPECT_THAT(lines_of(""), ElementsAre());
    EXPECT_EQ(line_at("a\nb\nc", 0), 1U);
    EXPECT_EQ(line_at("a\nb\nc", 4), 3U);
}

TEST(SourceTree, ReportsLikeACompiler) {
    const Findings findings{{"src/a.cpp", 3, "Do this."}, {"src/b.cpp", 1, "Do that."}};
    EXPECT_EQ(report(findings), "\nsrc/a.cpp:3: Do this.\nsrc/b.cpp:1: Do that.");
    EXPECT_EQ(report({}), "");
}

}  // namespace
}  // namespace fencepost::tidy
