#include "base/crypto/sha256.hpp"

#include <gtest/gtest.h>

#include "base/text/hex.hpp"

namespace fencepost {
namespace {

TEST(Sha256Test, MatchesFips180Vectors) {
    EXPECT_EQ(to_hex(sha256({}).view()), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(to_hex(sha256(as_bytes("abc")).view()),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256Test, ComparesEveryBit) {
    const auto digest = sha256(as_bytes("abc"));
    EXPECT_TRUE(equal_in_constant_time(digest, digest));
    for (std::size_t bit = 0; bit < 8 * Sha256::length; ++bit) {
        auto other = digest;
        other.data.at(bit / 8) ^= static_cast<std::uint8_t>(1U << (bit % 8));
        EXPECT_FALSE(equal_in_constant_time(digest, other)) << bit;
    }
}

}  // namespace
}  // namespace fencepost
