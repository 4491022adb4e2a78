#include "base/crypto/stable_hash.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fencepost {
namespace {

// Nodes of different versions must agree: these numbers may never change.
TEST(StableHash, IsAPrefixOfKeccak256) {
    EXPECT_EQ(stable_hash(""), 0xc5d2460186f7233cU);
    EXPECT_EQ(stable_hash("abc"), 0x4e03657aea45a94fU);
}

TEST(StableHash, MixIsPinned) {
    EXPECT_EQ(mix(0, 0), 0U);
    EXPECT_EQ(mix(1, 0), 0xb456bcfc34c2cb2cU);
}

RC_GTEST_PROP(StableHash, MixIsInjectiveInEachArgument, (std::uint64_t a, std::uint64_t b, std::uint64_t c)) {
    RC_ASSERT((mix(a, b) == mix(a, c)) == (b == c));
    RC_ASSERT(mix(a, b) == mix(b, a));
}

}  // namespace
}  // namespace fencepost
