#include "failures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seeds.hpp"

namespace fencepost::tidy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Numbers above 35 were found in Fencepost itself; each is listed here once it is fixed.
std::set<std::size_t> known_failures() {
    std::set<std::size_t> numbers{38, 43, 44, 46, 52, 53, 57, 71, 72, 73, 78, 79, 80};
    for (std::size_t number = 1; number <= 35; ++number)
        numbers.insert(number);
    return numbers;
}
// A database that loses acknowledged commits is outside the guarantees; the table says so.
const std::set<std::size_t> out_of_scope{30};

TEST(Failures, EachFailureHasATestWithItsNumber) {
    const std::string path = "docs/internals/failures.md";
    EXPECT_TRUE(clean(check_failures({path, project().at(path)}, tests_in(project()), known_failures(), out_of_scope)));
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

TEST(FailuresRule, ReadsFailureNumbersFromTestNames) {
    EXPECT_THAT(failures_of("Suite.Failure07ASendWithoutAnAnswer"), ElementsAre(7));
    EXPECT_THAT(failures_of("Suite.Failure01And02And07ACrash"), ElementsAre(1, 2, 7));
    EXPECT_THAT(failures_of("Suite.Failure5AKey"), IsEmpty()) << "two digits";
    EXPECT_THAT(failures_of("Suite.Failure123"), IsEmpty());
    EXPECT_THAT(failures_of("Suite.AFailureIsNoVerdict"), IsEmpty());
}

// The findings in a table that should have two rows, the second of which needs no test.
std::string check_rows(const std::string& rows) {
    return report(check_failures({"failures.md", "# Title\n| # | what | how | tests |\n|---|---|---|---|\n" + rows},
                                 {"A.Failure01One", "A.Failure02Two"}, {1, 2}, {2}));
}

constexpr const char* first_row = "| 1 | what | how | `A.Failure01One` |\n";

TEST(FailuresRule, AcceptsRowsWithTestsAndExceptedRows) {
    EXPECT_EQ(check_rows(std::string(first_row) + "| 2 | what | how |  |\n"), "");
    EXPECT_EQ(check_rows(std::string(first_row) + "| 2 | what | how | `A.Failure02Two` |\n"), "");
}

TEST(FailuresRule, RefusesANumberWithoutATest) {
    EXPECT_EQ(check_rows("| 1 | what | how |  |\n| 2 | what | how |  |\n"),
              "\nfailures.md:4: Name a test that carries Failure01.");
}

TEST(FailuresRule, RefusesMissingTestsAndOtherNumbers) {
    EXPECT_THAT(check_rows(std::string(first_row) + "| 2 | what | how | `A.Failure02Gone` |\n"),
                HasSubstr("does not exist"));
    EXPECT_THAT(check_rows(std::string(first_row) + "| 2 | what | how | `A.Failure01One` |\n"),
                HasSubstr("carries Failure02; A.Failure01One does not"));
}

TEST(FailuresRule, RefusesMissingOrRepeatedNumbers) {
    EXPECT_THAT(check_rows(first_row), HasSubstr("there are 2 failures, not 1"));
    EXPECT_THAT(check_rows(std::string(first_row) + first_row), HasSubstr("1 follows 1"));
}

TEST(FailuresRule, RefusesUnreadableRows) {
    EXPECT_THAT(check_rows(std::string(first_row) + "| 2 | what | `A.Failure02Two` |\n"),
                HasSubstr("Write the row as"));
}

}  // namespace
}  // namespace fencepost::tidy
