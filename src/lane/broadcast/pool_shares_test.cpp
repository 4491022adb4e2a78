#include "lane/broadcast/pool_shares.hpp"

#include <chrono>
#include <memory>

#include <gtest/gtest.h>

namespace fencepost::lane {
namespace {

using namespace std::chrono_literals;

class PoolSharesTest : public ::testing::Test {
protected:
    PoolShares::Member& member(std::uint32_t held, std::uint32_t wanted, Instant since = {}) {
        members_.push_back(std::make_unique<PoolShares::Member>(shares));
        members_.back()->report(held, wanted, since);
        return *members_.back();
    }
    void block() { members_.front()->head(BlockNumber(++head_)); }

    static constexpr Instant sent{10s};
    static constexpr Instant heard{11s};

    PoolShares shares;

private:
    std::vector<std::unique_ptr<PoolShares::Member>> members_;
    std::uint64_t head_ = 0;
};

TEST_F(PoolSharesTest, UnlimitedUntilAPoolIsFull) {
    EXPECT_EQ(member(4'000, 4'096).share(), PoolShares::unbounded);
    EXPECT_FALSE(shares.budget());
}

TEST_F(PoolSharesTest, FullPoolReducesTheBudgetByAnEighth) {
    auto& one = member(800, 1'000);
    auto& two = member(800, 1'000);
    EXPECT_TRUE(one.full(sent, heard));
    EXPECT_EQ(shares.budget(), 1'400U);
    EXPECT_EQ(one.share(), 700U);
    EXPECT_EQ(two.share(), 700U);
}

TEST_F(PoolSharesTest, SendsBeforeTheLastReductionReduceNothing) {
    auto& one = member(800, 1'000);
    auto& two = member(800, 1'000);
    ASSERT_TRUE(one.full(sent, heard));
    EXPECT_FALSE(two.full(sent, heard + 1s));
    EXPECT_EQ(shares.budget(), 1'400U);
    EXPECT_TRUE(two.full(heard + 1s, heard + 2s));
    EXPECT_EQ(shares.budget(), 1'225U);
}

TEST_F(PoolSharesTest, UnusedShareGoesToTheOtherLanes) {
    auto& small = member(10, 10);
    auto& one = member(395, 1'000);
    auto& two = member(395, 1'000);
    ASSERT_TRUE(one.full(sent, heard));
    ASSERT_EQ(shares.budget(), 700U);
    EXPECT_GE(small.share(), 10U);
    EXPECT_EQ(one.share(), 345U);
    EXPECT_EQ(two.share(), 345U);
}

TEST_F(PoolSharesTest, GrowsByAnEighthPerBlockUntilUnlimited) {
    auto& one = member(800, 1'000);
    ASSERT_TRUE(one.full(sent, heard));
    ASSERT_EQ(shares.budget(), 700U);
    block();
    EXPECT_EQ(shares.budget(), 787U);
    one.head(BlockNumber(1));
    EXPECT_EQ(shares.budget(), 787U) << "the same block, reported by another lane";
    for (int i = 0; i < 12; ++i)
        block();
    EXPECT_FALSE(shares.budget());
    EXPECT_EQ(one.share(), PoolShares::unbounded);
}

TEST_F(PoolSharesTest, LanesTakeTurnsByAgeWhenCapacityIsShort) {
    auto& young = member(1, 5, Instant{9s});
    auto& old = member(1, 5, Instant{3s});
    auto& idle = member(0, 0, Instant::max());
    ASSERT_TRUE(young.full(sent, heard));
    ASSERT_EQ(shares.budget(), 1U);
    EXPECT_EQ(old.share(), 1U);
    EXPECT_EQ(young.share(), 0U);
    EXPECT_EQ(idle.share(), 1U) << "it may start";
}

TEST_F(PoolSharesTest, OneLanePerBlockMayOutbidAFullPool) {
    auto& one = member(1, 5);
    auto& two = member(1, 5);
    EXPECT_TRUE(one.may_outbid());
    EXPECT_FALSE(two.may_outbid());
    block();
    EXPECT_TRUE(two.may_outbid());
}

TEST_F(PoolSharesTest, ClosedLaneFreesItsShare) {
    auto& one = member(800, 2'000);
    {
        PoolShares::Member closing(shares);
        closing.report(800, 1'000, {});
        ASSERT_TRUE(one.full(sent, heard));
        ASSERT_EQ(one.share(), 700U);
    }
    block();
    EXPECT_EQ(one.share(), 1'575U);
}

}  // namespace
}  // namespace fencepost::lane
