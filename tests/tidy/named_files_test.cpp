#include "named_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::tidy {
namespace {

using testing::ElementsAre;

TEST(NamedFiles, OfArchitectureAndContributingExist) {
    for (const std::string path : {"ARCHITECTURE.md", "CONTRIBUTING.md"})
        EXPECT_TRUE(clean(missing_files({path, project().at(path)}, project())));
}

const SourceTree& small_tree() {
    static const SourceTree tree{{"src/lane/loop/turn.cpp", ""}, {"docs/a.md", ""}, {"CMakeLists.txt", ""}};
    return tree;
}

TEST(NamedFilesRule, FindsFilesByTheirNameTheirPathAndItsEnd) {
    for (const auto* name : {"src/lane/loop/turn.cpp", "turn.cpp", "loop/turn.cpp", "src/lane", "lane/loop/", "docs"})
        EXPECT_TRUE(is_in_tree(small_tree(), name)) << name;
    for (const auto* name : {"urn.cpp", "src/loop/turn.cpp", "turn", "src/lan", "ane", "oop/turn.cpp"})
        EXPECT_FALSE(is_in_tree(small_tree(), name)) << name;
}

std::string judge_names(const std::string& text) { return report(missing_files({"A.md", text}, small_tree())); }

TEST(NamedFilesRule, TakesWhatExistsAndWhatIsNoFile) {
    EXPECT_EQ(judge_names("`turn.cpp` `src/lane/loop` `docs/a.md` `CMakeLists.txt` `docs/`\n"), "");
    EXPECT_EQ(
        judge_names("`GET /api/v1/tx` `--flag` `ninja -C build/dev` `State` `x.y` `src/signers/<kind>_signer.cpp`\n"
                    "`db/migration/*.sql` gone.cpp\n"),
        "");
}

TEST(NamedFilesRule, RefusesAFileOrAFolderThatIsNotThere) {
    EXPECT_THAT(
        places(missing_files({"A.md", "\n`gone.cpp`\n`src/gone` and `src/lane/gone/turn.cpp`\n"}, small_tree())),
        ElementsAre("A.md:2", "A.md:3", "A.md:3"));
}

}  // namespace
}  // namespace fencepost::tidy
