#include "failures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seeds.hpp"

namespace fencepost::tidy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Those above 35 were found in the program itself; each comes here with its remedy.
std::set<std::size_t> known_failures() {
    std::set<std::size_t> numbers{38, 43, 44, 46, 52, 53, 57, 71, 72, 73, 78, 79, 80};
    for (std::size_t number = 1; number <= 35; ++number)
        numbers.insert(number);
    return numbers;
}
// A database that forgets what it acknowledged is what the promise leaves out; the table says so.
const std::set<std::size_t> outside_the_promise{30};

TEST(Failures, EachHasATestThatCarriesItsNumber) {
    const std::string path = "docs/internals/failures.md";
    EXPECT_TRUE(
        clean(check_failures({path, project().at(path)}, tests_in(project()), known_failures(), outside_the_promise)));
}

TEST(Laws, NameOnlyTestsThatExist) {
    const std::string path = "docs/internals/README.md";
    EXPECT_TRUE(clean(unknown_tests({path, project().at(path)}, tests_in(project()))));
}

TEST(LawsRule, RefusesATestOrASuiteThatDoesNotExist) {
    const std::set<std::string> tests{"Fence.One", "Fence.Two"};
    EXPECT_TRUE(clean(unknown_tests({"a.md", "`Fence.One`, `Fence.*`, `turn.cpp`, Fence.Three"}, tests)));
    EXPECT_THAT(places(unknown_tests({"a.md", "`Fence.Three`\n`Fences.*`\n"}, tests)), ElementsAre("a.md:1", "a.md:2"));
}

TEST(FailuresRule, ReadsTheNumbersThatATestCarries) {
    EXPECT_THAT(failures_of("Suite.Failure07ASendWithoutAnAnswer"), ElementsAre(7));
    EXPECT_THAT(failures_of("Suite.Failure01And02And07ACrash"), ElementsAre(1, 2, 7));
    EXPECT_THAT(failures_of("Suite.Failure5AKey"), IsEmpty()) << "two digits";
    EXPECT_THAT(failures_of("Suite.Failure123"), IsEmpty());
    EXPECT_THAT(failures_of("Suite.AFailureIsNoVerdict"), IsEmpty());
}

// Findings about a table that should have two rows, the second of which may go without a test.
std::string judge_failures(const std::string& rows) {
    return report(check_failures({"failures.md", "# Title\n| # | what | how | tests |\n|---|---|---|---|\n" + rows},
                                 {"A.Failure01One", "A.Failure02Two"}, {1, 2}, {2}));
}

constexpr const char* first_row = "| 1 | what | how | `A.Failure01One` |\n";

TEST(FailuresRule, TakesRowsWithTestsAndTheExceptedWithout) {
    EXPECT_EQ(judge_failures(std::string(first_row) + "| 2 | what | how |  |\n"), "");
    EXPECT_EQ(judge_failures(std::string(first_row) + "| 2 | what | how | `A.Failure02Two` |\n"), "");
}

TEST(FailuresRule, RefusesANumberWithoutATest) {
    EXPECT_EQ(judge_failures("| 1 | what | how |  |\n| 2 | what | how |  |\n"),
              "\nfailures.md:4: Name a test that carries Failure01.");
}

TEST(FailuresRule, RefusesATestThatDoesNotExistOrCarriesAnotherNumber) {
    EXPECT_THAT(judge_failures(std::string(first_row) + "| 2 | what | how | `A.Failure02Gone` |\n"),
                HasSubstr("does not exist"));
    EXPECT_THAT(judge_failures(std::string(first_row) + "| 2 | what | how | `A.Failure01One` |\n"),
                HasSubstr("carries Failure02; A.Failure01One does not"));
}

TEST(FailuresRule, RefusesALostOrARepeatedNumber) {
    EXPECT_THAT(judge_failures(first_row), HasSubstr("there are 2 failures, not 1"));
    EXPECT_THAT(judge_failures(std::string(first_row) + first_row), HasSubstr("1 follows 1"));
}

TEST(FailuresRule, RefusesARowThatItCannotRead) {
    EXPECT_THAT(judge_failures(std::string(first_row) + "| 2 | what | `A.Failure02Two` |\n"),
                HasSubstr("Write the row as"));
}

}  // namespace
}  // namespace fencepost::tidy
