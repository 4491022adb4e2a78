#include "base/text/nearest.hpp"

#include <gtest/gtest.h>

namespace fencepost {
namespace {

TEST(Nearest, SuggestsTheMistypedName) {
    const std::vector<std::string> names{"value", "validUntil", "gas", "resubmit.interval"};
    EXPECT_EQ(nearest("vlaue", names), "value");
    EXPECT_EQ(nearest("valid_until", names), "validUntil");
    EXPECT_EQ(nearest("interval", names), "resubmit.interval");
    EXPECT_EQ(nearest("somethingElse", names), std::nullopt);
    EXPECT_EQ(nearest("", names), std::nullopt);
    EXPECT_EQ(nearest("x", {}), std::nullopt);
}

}  // namespace
}  // namespace fencepost
