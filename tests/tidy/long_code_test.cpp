#include "long_code.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::tidy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Checks nothing: script/lint shows what it prints.
TEST(LongCode, IsListed) {
    fmt::print("{}{}\n", report(for_each_file(project(), long_files)),
               report(for_each_file(project(), long_functions)));
}

std::string repeat(int times, const std::string& line) {
    std::string text;
    for (int i = 0; i < times; ++i)
        text += line;
    return text;
}

TEST(LongCodeRule, FindsFilesOfMoreThan400Lines) {
    EXPECT_TRUE(clean(long_files({"src/a.cpp", repeat(400, "x;\n")})));
    EXPECT_THAT(places(long_files({"src/a.cpp", repeat(401, "x;\n")})), ElementsAre("src/a.cpp:1"));
}

TEST(LongCodeRule, FindsFunctionsOfMoreThan60Lines) {
    const std::string scope = "namespace a {\nstruct B {\n";
    const auto function = [](int lines) {
        return "void f(int x) const {\n" + repeat(lines - 2, "if (x) { y(); }\n") + "}\n";
    };
    EXPECT_TRUE(clean(long_functions({"src/a.cpp", scope + function(60) + "};\n}\n"})));
    const auto findings = long_functions({"src/a.cpp", scope + function(61) + "};\n}\n"});
    EXPECT_THAT(places(findings), ElementsAre("src/a.cpp:3"));
    EXPECT_THAT(report(findings), HasSubstr("61 lines"));
}

TEST(LongCodeRule, DoesNotTakeTypesOrNamespacesForFunctions) {
    EXPECT_EQ(
        report(long_functions({"src/a.hpp", "namespace a {\nclass B {\n" + repeat(80, "void f();\n") + "};\n}\n"})),
        "");
}

}  // namespace
}  // namespace fencepost::tidy
