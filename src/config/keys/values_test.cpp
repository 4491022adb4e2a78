#include "config/keys/values.hpp"

#include <chrono>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fencepost::config {
namespace {

using namespace std::chrono_literals;

TEST(DurationText, HasAWholeNumberAndAUnit) {
    EXPECT_EQ(*read_duration("500ms"), 500ms);
    EXPECT_EQ(*read_duration("10s"), 10s);
    EXPECT_EQ(*read_duration("5 m"), 5min);
    EXPECT_EQ(*read_duration("2h"), 2h);
    EXPECT_EQ(*read_duration("1d"), 24h);
    EXPECT_EQ(*read_duration("0s"), 0s);
}

TEST(DurationText, RejectsMissingUnitSignAndOverflow) {
    for (const auto* text : {"", "10", "s", "-1s", "+1s", "1.5s", "1e3s", " 1s", "10sec", "1s1s", "0x1s",
                             "9999999999999d", "18446744073709551616ms"}) {
        EXPECT_FALSE(read_duration(text)) << text;
    }
}

RC_GTEST_PROP(DurationText, RoundTrips, (std::uint32_t milliseconds)) {
    const Duration value = std::chrono::milliseconds(milliseconds);
    RC_ASSERT(*read_duration(show_duration(value)) == value);
}

TEST(DurationText, PrintsTheLargestExactUnit) {
    EXPECT_EQ(show_duration(5min), "5m");
    EXPECT_EQ(show_duration(90s), "90s");
    EXPECT_EQ(show_duration(1500ms), "1500ms");
    EXPECT_EQ(show_duration(0s), "0s");
}

TEST(AmountText, IsWeiOrANumberAndAUnit) {
    EXPECT_EQ(*read_amount("21000"), Wei(21'000));
    EXPECT_EQ(*read_amount("7 wei"), Wei(7));
    EXPECT_EQ(*read_amount("50 gwei"), Wei(50'000'000'000));
    EXPECT_EQ(*read_amount("0.5gwei"), Wei(500'000'000));
    EXPECT_EQ(*read_amount("1.000000000000000001 ether"), Wei(1'000'000'000'000'000'001));
}

TEST(AmountText, RejectsInvalidAmountsAndFractionsOfAWei) {
    for (const auto* text : {"", "gwei", "-1", "1.5", "0.0000000001 gwei", "1 eth", ".5 gwei", "1. gwei", "1 GWEI",
                             "0x10", "115792089237316195423570985008687907853269984665640564039457584007913129639936",
                             "115792089237316195423570985008687907853269984665640564039457584007913129639935 gwei"}) {
        EXPECT_FALSE(read_amount(text)) << text;
    }
}

RC_GTEST_PROP(AmountText, RoundTrips, (std::uint64_t wei)) {
    RC_ASSERT(*read_amount(show_amount(Wei(wei))) == Wei(wei));
}

TEST(SizeText, IsBytesOrPowersOf1024) {
    EXPECT_EQ(*read_size("10"), 10U);
    EXPECT_EQ(*read_size("64 KiB"), 65'536U);
    EXPECT_EQ(*read_size("1MiB"), 1'048'576U);
    EXPECT_EQ(show_size(1'048'576), "1 MiB");
    EXPECT_EQ(show_size(1000), "1000");
    for (const auto* text : {"", "1 KB", "-1", "1.5 MiB", "18446744073709551615 KiB"})
        EXPECT_FALSE(read_size(text)) << text;
}

TEST(FactorText, IsAnExactDecimalAboveOne) {
    const auto eighth = read_factor("1.125");
    ASSERT_TRUE(eighth);
    EXPECT_EQ(eighth->numerator, 9U);
    EXPECT_EQ(eighth->denominator, 8U);
    EXPECT_EQ(show_factor(*eighth), "1.125");
    EXPECT_EQ(show_factor(*read_factor("2")), "2");
    for (const auto* text : {"", "1", "0.9", "-2", "1.0000001", "10.1", "1,5", "nan"})
        EXPECT_FALSE(read_factor(text)) << text;
}

TEST(CountText, IsAWholeNumberThatFits) {
    EXPECT_EQ(*read_count("18446744073709551615"), UINT64_MAX);
    EXPECT_EQ(read_count("18446744073709551616").error().what, "is too large a number");
    for (const auto* text : {"", "-1", "+1", "1.0", "1e3", "0x10", " 1", "twelve", "１"})
        EXPECT_FALSE(read_count(text)) << text;
}

TEST(SwitchText, AcceptsOnlyTrueAndFalse) {
    EXPECT_TRUE(*read_switch("true"));
    EXPECT_FALSE(*read_switch("false"));
    for (const auto* text : {"", "yes", "on", "1", "True", "TRUE"})
        EXPECT_FALSE(read_switch(text)) << text;
}

TEST(ListText, IsSplitAtCommas) {
    EXPECT_EQ(split_at_commas("a, b c ,,d"), (std::vector<std::string>{"a", "b c", "d"}));
    EXPECT_TRUE(split_at_commas(" , ").empty());
}

}  // namespace
}  // namespace fencepost::config
