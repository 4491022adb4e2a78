#include "api/auth/rate_limit.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fencepost::api {
namespace {

using namespace std::chrono_literals;

const Instant start{1h};

TEST(TokenBucket, AllowsABurstAndThenTheRate) {
    TokenBucket bucket({.per_second = 2, .burst = 3}, start);
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(bucket.take(start)) << i;
    const auto refused = bucket.take(start);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error(), 500ms);
    EXPECT_FALSE(bucket.take(start + 499ms));
    EXPECT_TRUE(bucket.take(start + 500ms));
    EXPECT_FALSE(bucket.take(start + 501ms));
}

TEST(TokenBucket, SavesAtMostTheBurst) {
    TokenBucket bucket({.per_second = 1000, .burst = 2}, start);
    const auto later = start + 24h;
    EXPECT_TRUE(bucket.take(later));
    EXPECT_TRUE(bucket.take(later));
    EXPECT_FALSE(bucket.take(later));
}

TEST(TokenBucket, PaysDebtBeforeNewTokens) {
    TokenBucket bucket({.per_second = 10, .burst = 5}, start);
    EXPECT_TRUE(bucket.take(start));
    bucket.charge(19, start);
    const auto refused = bucket.take(start);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error(), 1600ms) << "20 were taken of 5: 15 come first, then one to give";
    EXPECT_TRUE(bucket.take(start + 1600ms));
    EXPECT_FALSE(bucket.take(start + 1600ms));
}

RC_GTEST_PROP(TokenBucketProperty, NeverExceedsBurstPlusRateAndHonoursAnnouncedWaits, ()) {
    const RateLimit limit{.per_second = static_cast<double>(*rc::gen::inRange(1, 50)),
                          .burst = static_cast<double>(*rc::gen::inRange(1, 20))};
    TokenBucket bucket(limit, start);
    auto now = start;
    int taken = 0;
    for (const int wait : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 200))) {
        now += std::chrono::milliseconds(wait);
        if (const auto status = bucket.take(now)) {
            ++taken;
        } else {
            now += status.error();
            RC_ASSERT(bucket.take(now).has_value());
            ++taken;
        }
        const double passed = std::chrono::duration<double>(now - start).count();
        RC_ASSERT(taken <= limit.burst + passed * limit.per_second + 1e-3);
    }
}

TEST(SharedBuckets, SharesABucketOnlyOnHashCollision) {
    SharedBuckets buckets({.per_second = 1, .burst = 1}, start);
    EXPECT_TRUE(buckets.take("192.0.2.1", start));
    EXPECT_FALSE(buckets.take("192.0.2.1", start));
    EXPECT_TRUE(buckets.take("192.0.2.2", start));
}

TEST(RetryAfter, RoundsUpToAtLeastOneSecond) {
    EXPECT_EQ(retry_after(Duration::zero()), "1");
    EXPECT_EQ(retry_after(1s), "1");
    EXPECT_EQ(retry_after(1s + 1ns), "2");
}

}  // namespace
}  // namespace fencepost::api
