#include "includes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::tidy {
namespace {

using testing::ElementsAre;
using testing::Field;

TEST(Includes, AreFoundInBothForms) {
    EXPECT_THAT(includes_of("// #include <no>\n#include \"base/hex.hpp\"  // why\n  #  include <map>\n"),
                ElementsAre(Field(&Include::name, "base/hex.hpp"), Field(&Include::name, "map")));
    EXPECT_EQ(includes_of("\n\n#include <map>")[0].line, 3U);
}

TEST(Includes, ResolveBesideAboveAndUnderSrc) {
    const SourceTree tree{{"src/base/hex.hpp", ""}, {"apps/one/config.hpp", ""}, {"apps/one/sub/x.hpp", ""}};
    EXPECT_EQ(resolve(tree, "src/lane/a.cpp", "base/hex.hpp"), "src/base/hex.hpp");
    EXPECT_EQ(resolve(tree, "apps/one/sub/a.cpp", "x.hpp"), "apps/one/sub/x.hpp");
    EXPECT_EQ(resolve(tree, "apps/one/sub/a.cpp", "config.hpp"), "apps/one/config.hpp");
    EXPECT_EQ(resolve(tree, "src/lane/a.cpp", "../base/hex.hpp"), "src/base/hex.hpp");
    EXPECT_EQ(resolve(tree, "src/lane/a.cpp", "map"), std::nullopt);
}

}  // namespace
}  // namespace fencepost::tidy
