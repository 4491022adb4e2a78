// The defaults are part of the contract.
#include "lane/loop/lane_options.hpp"

#include <gtest/gtest.h>

namespace fencepost::lane {
namespace {

using namespace std::chrono_literals;

TEST(LaneDefaults, ResendsAfterAMinuteAndTenTimesBeforeStuck) {
    const LaneOptions options;
    EXPECT_TRUE(options.resubmit.enabled);
    EXPECT_EQ(options.resubmit_interval, 60s);
    EXPECT_EQ(options.resubmit.max_attempts, 10U);
}

TEST(LaneDefaults, TimesOutAfterHalfAnHourAndContinues) {
    const LaneOptions options;
    EXPECT_EQ(options.transaction_timeout, 30min);
    EXPECT_FALSE(options.fail_on_timeout);
}

TEST(LaneDefaults, BumpDefaultsAreOffOneMinuteTenAttemptsOneEighth) {
    const LaneOptions options;
    EXPECT_FALSE(options.bump.enabled);
    EXPECT_EQ(options.bump.min_interval, 60s);
    EXPECT_EQ(options.bump.max_attempts, 10U);
    EXPECT_EQ(options.bump.multiplier.numerator * 1000, options.bump.multiplier.denominator * 1125);
}

TEST(LaneDefaults, GreyZoneIsScannedEveryMinuteForFiveMinutes) {
    const LaneOptions options;
    EXPECT_TRUE(options.grey_zone.enabled);
    EXPECT_EQ(options.grey_zone.interval, 60s);
    EXPECT_EQ(options.grey_zone.timeout, 5min);
}

TEST(LaneDefaults, DiagnosisIsOff) { EXPECT_FALSE(LaneOptions{}.diagnose); }

}  // namespace
}  // namespace fencepost::lane
