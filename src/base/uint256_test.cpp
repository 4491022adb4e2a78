#include "base/uint256.hpp"

#include <tuple>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/text/hex.hpp"

namespace fencepost {
namespace {

constexpr std::string_view max_decimal =
    "115792089237316195423570985008687907853269984665640564039457584007913129639935";

// 256 random bits, so that the upper limbs are used, not only values that fit a machine word.
Uint256 wide(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
    return Uint256::parse(fmt::format("0x{:016x}{:016x}{:016x}{:016x}", a, b, c, d)).value();
}

TEST(Uint256, ParsesDecimalAndHexadecimal) {
    EXPECT_EQ(Uint256::parse("0"), Uint256(0));
    EXPECT_EQ(Uint256::parse("1000000000000000000"), Uint256(1'000'000'000'000'000'000));
    EXPECT_EQ(Uint256::parse("0xff"), Uint256(255));
    EXPECT_EQ(Uint256::parse(max_decimal), Uint256::max());
}

TEST(Uint256, RejectsInvalidIntegers) {
    for (const auto* text : {"", "0x", "-1", "+1", " 1", "1 ", "1e18", "1.0", "12a", "0xg", "0X1", "１"}) {
        EXPECT_FALSE(Uint256::parse(text)) << text;
    }
    EXPECT_FALSE(Uint256::parse("115792089237316195423570985008687907853269984665640564039457584007913129639936"));
    EXPECT_FALSE(Uint256::parse("0x1" + std::string(64, '0')));
    EXPECT_FALSE(Uint256::parse(std::string(1'000'000, '9')));
}

TEST(Uint256, WritesDecimalAndQuantity) {
    EXPECT_EQ(Uint256::max().to_decimal(), max_decimal);
    EXPECT_EQ(Uint256(0).to_quantity(), "0x0");
    EXPECT_EQ(Uint256(1024).to_quantity(), "0x400");
    EXPECT_EQ(Uint256::max().to_quantity(), "0x" + std::string(64, 'f'));
}

TEST(Uint256, ConvertsBigEndianBytes) {
    const Bytes bytes{0x01, 0x00};
    EXPECT_EQ(Uint256::from_big_endian(bytes), Uint256(256));
    EXPECT_EQ(Uint256::from_big_endian({}), Uint256(0));
    EXPECT_FALSE(Uint256::from_big_endian(Bytes(33, 0)));
    EXPECT_EQ(to_hex(Uint256(258).to_big_endian()), std::string(60, '0') + "0102");
}

TEST(Uint256, CheckedArithmeticDetectsOverflow) {
    EXPECT_FALSE(Uint256::checked_add(Uint256::max(), 1));
    EXPECT_FALSE(Uint256::checked_sub(1, 2));
    EXPECT_FALSE(Uint256::checked_mul(Uint256::max(), 2));
    EXPECT_FALSE(Uint256::checked_scale_up(Uint256::max(), 9, 8));
    EXPECT_EQ(Uint256::checked_scale_up(Uint256::max(), 8, 8), Uint256::max());
    EXPECT_EQ(Uint256::checked_scale_up(9, 9, 8), Uint256(11));  // 10.125 rounds up
}

TEST(Uint256, CarriesAndBorrowsAcrossAllLimbs) {
    const auto top = Uint256::parse("0x1000000000000000000000000000000000000000000000000").value();  // 2^192
    const auto below = Uint256::parse("0xffffffffffffffffffffffffffffffffffffffffffffffff").value();
    EXPECT_EQ(below + 1, top);
    EXPECT_EQ(top - 1, below);
    EXPECT_EQ(top + below - top, below);
    EXPECT_EQ(Uint256::max() - top + top, Uint256::max());
}

TEST(Uint256, OperatorsAbortInsteadOfWrapping) {
    EXPECT_DEATH(std::ignore = Uint256::max() + 1, "overflows");
    EXPECT_DEATH(std::ignore = Uint256(1) - 2, "negative");
    EXPECT_DEATH(std::ignore = Uint256::max() * 2, "overflows");
    EXPECT_DEATH(std::ignore = Uint256(1) / 0, "assertion failed");
}

TEST(Uint256, ToUint64OnlyWhenItFits) {
    EXPECT_EQ(Uint256(~std::uint64_t{0}).to_uint64(), ~std::uint64_t{0});
    EXPECT_FALSE((Uint256(~std::uint64_t{0}) + 1).to_uint64());
}

RC_GTEST_PROP(Uint256Property, TextAndBytesReadBack,
              (std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d)) {
    const auto value = wide(a, b, c, d);
    RC_ASSERT(Uint256::parse(value.to_decimal()).value() == value);
    RC_ASSERT(Uint256::parse(value.to_quantity()).value() == value);
    RC_ASSERT(Uint256::from_big_endian(value.to_big_endian()).value() == value);
}

RC_GTEST_PROP(Uint256Property, AddAndSubtractAreInverse,
              (std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d)) {
    const auto x = wide(a >> 1U, b, c, d);
    const auto y = wide(d >> 1U, c, b, a);
    RC_ASSERT(x + y - y == x);
    RC_ASSERT((x + y >= x) && (x + y >= y));
}

RC_GTEST_PROP(Uint256Property, DivisionAndRemainderRebuildTheValue,
              (std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d)) {
    const auto x = wide(a, b, c, d);
    const auto y = wide(0, 0, c, d) + 1;
    RC_ASSERT(x / y * y + x % y == x);
    RC_ASSERT(x % y < y);
}

}  // namespace
}  // namespace fencepost
