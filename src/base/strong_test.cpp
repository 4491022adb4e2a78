#include "base/strong.hpp"

#include <string>
#include <type_traits>
#include <unordered_set>

#include <gtest/gtest.h>

namespace fencepost {
namespace {

struct NameTag;
using Name = Strong<std::string, NameTag>;
struct HeightTag;
using Height = Ordinal<HeightTag>;
struct SlotTag;
using Slot = Ordinal<SlotTag>;

TEST(Strong, ConvertsOnlyExplicitly) {
    static_assert(!std::is_convertible_v<std::string, Name>);
    static_assert(!std::is_convertible_v<Height, Slot>);
    static_assert(!std::is_constructible_v<Height, Slot>);
    EXPECT_EQ(Name("a").value(), "a");
}

TEST(Strong, ComparesHashesAndPrintsLikeItsValue) {
    EXPECT_LT(Name("a"), Name("b"));
    EXPECT_EQ(Height(), Height(0));
    EXPECT_EQ(fmt::format("{} {}", Name("a"), Height(7)), "a 7");
    const std::unordered_set<Height> heights{Height(1), Height(2), Height(1)};
    EXPECT_EQ(heights.size(), 2U);
}

TEST(Ordinal, CountsUpAndMeasuresDistanceDownwards) {
    EXPECT_EQ(Height(7).next(), Height(8));
    EXPECT_EQ(Height(7).plus(3), Height(10));
    EXPECT_EQ(Height(7).above(Height(5)), 2U);
    EXPECT_EQ(Height(5).above(Height(7)), 0U);
}

}  // namespace
}  // namespace fencepost
