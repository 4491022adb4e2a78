#include "base/crypto/keccak.hpp"

#include <gtest/gtest.h>

#include "base/text/hex.hpp"

namespace fencepost {
namespace {

TEST(Keccak, MatchesKnownDigests) {
    EXPECT_EQ(to_hex(keccak256({})), "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
    EXPECT_EQ(to_hex(keccak256(as_bytes("transfer(address,uint256)"))).substr(0, 8), "a9059cbb");
}

TEST(Keccak, ResetsAfterEachDigest) {
    const auto first = keccak256(as_bytes("a"));
    (void)keccak256(as_bytes("b"));
    EXPECT_EQ(keccak256(as_bytes("a")), first);
}

}  // namespace
}  // namespace fencepost
