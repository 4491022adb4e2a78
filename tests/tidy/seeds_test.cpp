#include "seeds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::tidy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::size_t requirement_count = 184;

TEST(Seeds, NameOnlyTestsThatExist) {
    const std::string path = "docs/internals/requirements.md";
    EXPECT_TRUE(clean(check_seeds({path, project().at(path)}, tests_in(project()), requirement_count)));
}

TEST(SeedsRule, FindsTestsInSources) {
    const std::string code =
        "TEST(A, One) {}\nTEST_F(B, Two) {}\nTEST_P(C, Three) {}\nTYPED_TEST(D, Four) {}\n"
        "RC_GTEST_PROP(E, Five, ()) {}\nRC_GTEST_FIXTURE_PROP(F,\n   Six, ()) {}\n"
        "// TEST(G, Commented) {}\nTEST(H, DISABLED_Off) {}\nf(\"TEST(I, Quoted)\");\nMY_TEST(J, No)";
    EXPECT_THAT(tests_in({{"src/a_test.cpp", code}}),
                ElementsAre("A.One", "B.Two", "C.Three", "D.Four", "E.Five", "F.Six"));
    EXPECT_THAT(tests_in({{"docs/a.md", code}}), ElementsAre());
}

TEST(SeedsRule, FindsTestsInCMakeFiles) {
    const std::string code =
        "add_test(NAME Scripts.One COMMAND x)\n# add_test(NAME Scripts.Commented COMMAND x)\n"
        "add_test(NAME Fuzz.${name} COMMAND x)\nfencepost_fuzz(parse_fuzz DEPENDS base)\n";
    EXPECT_THAT(tests_in({{"tests/CMakeLists.txt", code}}), ElementsAre("Fuzz.parse_fuzz", "Scripts.One"));
}

// The findings in a list that should hold one requirement.
std::string check_lines(const std::string& lines) {
    return report(check_seeds({"seeds.md", lines}, {"A.One", "A.Two"}, 1));
}

TEST(SeedsRule, TakesLinesWithAndWithoutTests) {
    EXPECT_EQ(check_lines("# Title\n- [ ] LF01 | 000 4.1 | what | 1·02 | test:\n"), "");
    EXPECT_EQ(check_lines("- [x] LF01 | 000 4.1 | what | 1·02 | test: A.One, A.Two\n"), "");
    EXPECT_EQ(check_lines("- [ ] LF01 | 000 4.1 | partly | 1·02 | test: A.One\n"), "");
}

TEST(SeedsRule, RefusesATestThatDoesNotExist) {
    EXPECT_EQ(check_lines("\n- [x] LF01 | 000 | what | 1·02 | test: A.One, A.Three\n"),
              "\nseeds.md:2: Write the test A.Three or name another: it does not exist.");
    EXPECT_THAT(check_lines("- [ ] LF01 | 000 | what | 1·02 | test: A.Three\n"), HasSubstr("does not exist"));
}

TEST(SeedsRule, RefusesATickedLineWithoutATest) {
    EXPECT_THAT(check_lines("- [x] LF01 | 000 | what | 1·02 | test:\n"), HasSubstr("Name the test that verifies LF01"));
}

TEST(SeedsRule, RefusesUnreadableLines) {
    for (const auto* line :
         {"- [X] LF01 | a | b | c | test:", "- LF01 | a | b | c | test:", "- [ ] LF01 | a | b | c"}) {
        EXPECT_THAT(check_lines(line), HasSubstr("Write the line as")) << line;
    }
}

TEST(SeedsRule, RefusesMissingOrRepeatedRequirements) {
    EXPECT_THAT(check_lines("# Title\n"), HasSubstr("there are 1 requirements, not 0"));
    EXPECT_THAT(places(check_seeds({"s", "- [ ] LF01 | a | test:\n- [ ] LF01 | b | test:\n"}, {}, 2)),
                ElementsAre("s:2"));
}

}  // namespace
}  // namespace fencepost::tidy
