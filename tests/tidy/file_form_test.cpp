#include "file_form.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::tidy {
namespace {

using testing::ElementsAre;

TEST(FileForm, FilesOpenWithTheirPurpose) { EXPECT_TRUE(clean(for_each_file(project(), bad_openings))); }
TEST(FileForm, LinesAreShortAndClean) { EXPECT_TRUE(clean(for_each_file(project(), bad_lines))); }
TEST(FileForm, TextEndsWithANewline) { EXPECT_TRUE(clean(for_each_file(project(), missing_last_newline))); }
TEST(FileForm, NoFileNamesALocalPath) { EXPECT_TRUE(clean(for_each_file(project(), machine_traces))); }

TEST(FileFormRule, RequiresPragmaOnceInHeaders) {
    EXPECT_EQ(bad_openings({"src/base/a.hpp", "// Why this file exists.\n"}).size(), 1U);
    EXPECT_EQ(bad_openings({"tests/a.hpp", "// #pragma once\n"}).size(), 1U);
    EXPECT_TRUE(clean(bad_openings({"src/base/a.hpp", "// Why this file exists.\n#pragma once\n"})));
}

TEST(FileFormRule, RequiresHeadersToOpenWithASentence) {
    EXPECT_EQ(bad_openings({"src/base/a.hpp", "#pragma once\n"}).size(), 1U);
    EXPECT_EQ(bad_openings({"src/base/a.hpp", "// a.hpp\n#pragma once\n"}).size(), 1U);
    EXPECT_EQ(bad_openings({"src/base/a.hpp", "\n// Why this file exists.\n#pragma once\n"}).size(), 1U);
}

TEST(FileFormRule, RequiresSourcesToOpenWithACommentOrInclude) {
    EXPECT_EQ(bad_openings({"src/base/a.cpp", "namespace x {\n"}).size(), 1U);
    EXPECT_TRUE(clean(bad_openings({"src/base/a.cpp", "#include \"base/a.hpp\"\n"})));
    EXPECT_TRUE(clean(bad_openings({"src/base/a.cpp", "// Why this file exists.\n"})));
    EXPECT_TRUE(clean(bad_openings({"src/base/a_test.cpp", "namespace x {\n"})));
}

TEST(FileFormRule, RefusesTabsAndTrailingWhiteSpace) {
    EXPECT_THAT(places(bad_lines({"src/a.cpp", "a\nb\tc\nd \ne\r\n"})),
                ElementsAre("src/a.cpp:2", "src/a.cpp:3", "src/a.cpp:4"));
    EXPECT_EQ(bad_lines({"script/build", "a \n"}).size(), 1U);
    EXPECT_EQ(bad_lines({"cmake/Module.cmake", "a \n"}).size(), 1U);
    EXPECT_TRUE(clean(bad_lines({"docs/internals/requirements.md", "a  \n\tb\n"})));
}

TEST(FileFormRule, CountsColumnsInCharactersNotBytes) {
    std::string wide;
    for (int i = 0; i < 120; ++i)
        wide += "…";
    EXPECT_TRUE(clean(bad_lines({"src/a.cpp", wide + "\n"})));
    EXPECT_THAT(places(bad_lines({"src/a.cpp", "a\n" + wide + "b\n"})), ElementsAre("src/a.cpp:2"));
}

TEST(FileFormRule, RequiresAFinalNewline) {
    EXPECT_THAT(places(missing_last_newline({"docs/a.md", "a\nb"})), ElementsAre("docs/a.md:2"));
    EXPECT_TRUE(clean(missing_last_newline({"docs/a.md", "a\n"})));
    EXPECT_TRUE(clean(missing_last_newline({"tests/fuzz/corpus/a/b", "0x"})));
}

TEST(FileFormRule, RefusesLocalPathsAndHosts) {
    const std::string root = std::string("/ro") + "ot/";
    const std::string registry = "registr" + std::string("y.");
    for (const auto& line :
         {"cd " + root + "x", "\"" + root + "\"", std::string("/wo") + "rk/main", "=/fa" + std::string("rm/x"),
          "https://" + registry + "example/x", registry + "example.org", "de" + std::string("b.example.org")}) {
        EXPECT_THAT(places(machine_traces({"docs/a.md", "\n" + line + "\n"})), ElementsAre("docs/a.md:2")) << line;
    }
}

TEST(FileFormRule, IgnoresOtherPathsAndMembers) {
    const std::string inside = std::string("/wo") + "rk/x";
    const std::string below = std::string("./ro") + "ot/x";
    for (const auto& line :
         {"src" + inside, "https://example.org" + inside, below, std::string("registry.find(x)"),
          std::string("registry.entries.size()"), std::string("/var/lib/fencepost"), std::string("a.deb")}) {
        EXPECT_TRUE(clean(machine_traces({"docs/a.md", line}))) << line;
    }
}

}  // namespace
}  // namespace fencepost::tidy
