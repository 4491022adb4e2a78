#include "base/text/enum_names.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace fencepost::elsewhere {

enum class Answer {
    yes,
    not_yet,  // a comment is no part of a name
};
FP_ENUM_NAMES(Answer, as_written, yes, not_yet)

enum class Level { low_level, high };
FP_ENUM_NAMES(Level, upper, low_level, high)

struct Outer {
    enum class Inner { one, two_words };
};
FP_ENUM_NAMES(Outer::Inner, spaced, one, two_words)

enum class Nameless { one };

}  // namespace fencepost::elsewhere

namespace fencepost {
namespace {

using namespace elsewhere;

static_assert(name_of(Answer::not_yet) == "not_yet");
static_assert(!NamedEnum<Nameless>);

TEST(EnumNames, FollowTheStyleOfTheEnum) {
    EXPECT_EQ(name_of(Answer::yes), "yes");
    EXPECT_EQ(name_of(Level::low_level), "LOW_LEVEL");
    EXPECT_EQ(fmt::format("{}", Outer::Inner::two_words), "two words");
}

TEST(EnumNames, AreFoundByTheirText) {
    EXPECT_EQ(value_of<Level>("HIGH"), Level::high);
    EXPECT_EQ(value_of<Level>("high"), std::nullopt);
    EXPECT_EQ(value_of<Answer>("not_yet"), Answer::not_yet);
}

TEST(EnumNames, AreListedInOrder) {
    EXPECT_EQ(enum_names<Answer>.size(), 2U);
    EXPECT_EQ(enum_names<Answer>[0].first, Answer::yes);
}

}  // namespace
}  // namespace fencepost
