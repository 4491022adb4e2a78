#include "base/text/hex.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fencepost {
namespace {

TEST(Hex, WritesLowerCaseWithAndWithoutPrefix) {
    const Bytes bytes{0x00, 0xab, 0xff};
    EXPECT_EQ(to_hex(bytes), "00abff");
    EXPECT_EQ(to_hex_prefixed(bytes), "0x00abff");
    EXPECT_EQ(to_hex_prefixed({}), "0x");
}

TEST(Hex, ReadsEitherCaseWithOrWithoutPrefix) {
    const Bytes expected{0xde, 0xad};
    EXPECT_EQ(from_hex("0xDEad"), expected);
    EXPECT_EQ(from_hex("dead"), expected);
    EXPECT_EQ(from_hex("0XDEAD"), expected);
    EXPECT_EQ(from_hex("0x"), Bytes{});
}

TEST(Hex, RejectsOddLengthAndInvalidCharacters) {
    EXPECT_FALSE(from_hex("0xabc"));
    EXPECT_FALSE(from_hex("0xzz"));
    EXPECT_FALSE(from_hex("0x 1"));
    EXPECT_NE(from_hex("zz").error().what.find("zz"), std::string::npos);
}

RC_GTEST_PROP(HexProperty, RoundTrips, (const Bytes& bytes)) {
    RC_ASSERT(from_hex(to_hex(bytes)).value() == bytes);
    RC_ASSERT(from_hex(to_hex_prefixed(bytes)).value() == bytes);
}

}  // namespace
}  // namespace fencepost
