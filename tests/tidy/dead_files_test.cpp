#include "dead_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::tidy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

// libFuzzer brings its own main, so the corpus replayer is not built with it.
std::set<std::string> built_here() {
    auto built = built_files(compiled_files(read_file(FENCEPOST_COMPILE_COMMANDS)), FENCEPOST_SOURCE_DIR, read_file);
#ifdef FENCEPOST_LIBFUZZER
    built.insert("tests/fuzz/replay_main.cpp");
#endif
    return built;
}

TEST(DeadFiles, EverySourceIsBuilt) {
    ASSERT_THAT(built_here(), Not(IsEmpty()));
    EXPECT_TRUE(clean(unbuilt_files(project(), built_here())));
}

TEST(DeadFiles, EveryHeaderIsIncluded) { EXPECT_TRUE(clean(unused_headers(project()))); }

TEST(DeadFilesRule, ReadsCompileCommands) {
    const std::string commands =
        "[\n{\n  \"command\": \"c++ -c /top/src/a.cpp\",\n  \"file\": \"/top/src/a.cpp\"\n},\n"
        "{\n  \"file\": \"/elsewhere/b.cpp\"\n}\n]\n";
    EXPECT_THAT(compiled_files(commands), ElementsAre("/elsewhere/b.cpp", "/top/src/a.cpp"));
}

TEST(DeadFilesRule, ReadsTheFilesOfUnityUnits) {
    const auto read = [](const std::string& path) {
        EXPECT_EQ(path, "/top/build/unit.cxx");
        return std::string("/* generated */\n#include \"/top/src/b.cpp\"\n\n#include \"/elsewhere/c.cpp\"\n");
    };
    EXPECT_THAT(built_files({"/top/src/a.cpp", "/top/build/unit.cxx", "/elsewhere/d.cpp"}, "/top", read),
                ElementsAre("build/unit.cxx", "src/a.cpp", "src/b.cpp"));
}

TEST(DeadFilesRule, FindsUnbuiltSources) {
    const SourceTree tree{{"src/base/a.cpp", ""}, {"src/lost.cpp", ""}, {"bench/b.cpp", ""}, {"docs/sample.cpp", ""}};
    EXPECT_THAT(places(unbuilt_files(tree, {"src/base/a.cpp"})), ElementsAre("bench/b.cpp:1", "src/lost.cpp:1"));
}

TEST(DeadFilesRule, FindsUnusedHeaders) {
    const SourceTree tree{{"src/base/a.cpp", "#include \"base/a.hpp\"\n// #include \"base/b.hpp\"\n"},
                          {"src/base/a.hpp", ""},
                          {"src/base/b.hpp", ""},
                          {"src/base/self.hpp", "#include \"base/self.hpp\"\n"}};
    EXPECT_THAT(places(unused_headers(tree)), ElementsAre("src/base/b.hpp:1", "src/base/self.hpp:1"));
}

}  // namespace
}  // namespace fencepost::tidy
