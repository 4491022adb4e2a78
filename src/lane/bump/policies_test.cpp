#include "lane/bump/policies.hpp"

#include <gtest/gtest.h>

namespace fencepost::lane {
namespace {

Fees dynamic(std::uint64_t fee, std::uint64_t tip) { return DynamicFee{Wei(Uint256(fee)), Wei(Uint256(tip))}; }

BumpRequest question(std::optional<Fees> market, std::size_t behind = 0) {
    return {.submitter = SubmitterId::evm(1, Address{}),
            .offered = {dynamic(800, 80)},
            .market = std::move(market),
            .behind = behind};
}

TEST(MultiplyFees, RaisesTheLatestFeesByTheFactor) {
    EXPECT_EQ(MultiplyFees().wanted(question(dynamic(100, 10))), dynamic(900, 90));
    EXPECT_EQ(MultiplyFees().wanted(question(std::nullopt)), dynamic(900, 90)) << "also without a market price";
    auto doubled = question(std::nullopt);
    doubled.multiplier = {2, 1};
    EXPECT_EQ(MultiplyFees().wanted(doubled), dynamic(1600, 160));
}

TEST(MultiplyFees, FollowsAHigherMarketPrice) {
    EXPECT_EQ(MultiplyFees().wanted(question(dynamic(2000, 85))), dynamic(2000, 90));
}

TEST(MultiplyFees, Failure10DoesNotBumpATransactionBlockedByPredecessors) {
    EXPECT_EQ(MultiplyFees().wanted(question(dynamic(800, 80), 1)), std::nullopt);
    EXPECT_EQ(MultiplyFees().wanted(question(dynamic(2000, 80), 1)), dynamic(2000, 90)) << "it is underpriced itself";
}

}  // namespace
}  // namespace fencepost::lane
