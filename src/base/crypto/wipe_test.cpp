#include "base/crypto/wipe.hpp"

#include <array>

#include <gtest/gtest.h>

namespace fencepost {
namespace {

TEST(Wipe, LeavesZeros) {
    std::array<std::uint8_t, 5> secret{1, 2, 3, 4, 5};
    wipe(std::span(secret).subspan(1, 3));
    EXPECT_EQ(secret, (std::array<std::uint8_t, 5>{1, 0, 0, 0, 5}));
    wipe({});
}

}  // namespace
}  // namespace fencepost
