#include "base/crypto/secret.hpp"

#include <type_traits>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace fencepost {
namespace {

TEST(Secret, ExposesTextOnlyExplicitly) {
    const Secret secret("open sesame");
    EXPECT_EQ(secret.expose(), "open sesame");
    EXPECT_FALSE(secret.empty());
    EXPECT_TRUE(Secret().empty());
    static_assert(!std::is_copy_constructible_v<Secret>);
    static_assert(!fmt::is_formattable<Secret>::value);
}

TEST(Secret, WipesTheSourceOfAMove) {
    Secret first("open sesame");
    Secret second(std::move(first));
    EXPECT_TRUE(first.empty());  // NOLINT(bugprone-use-after-move): tests the moved-from state
    Secret third("another");
    third = std::move(second);
    EXPECT_TRUE(second.empty());  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(third.expose(), "open sesame");
}

TEST(Wipe, OverwritesEveryByte) {
    Bytes bytes(100, 0x5a);
    wipe(bytes);
    EXPECT_EQ(bytes, Bytes(100, 0));
    wipe({});
}

}  // namespace
}  // namespace fencepost
