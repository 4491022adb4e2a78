#include "domain/fees.hpp"

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fencepost {
namespace {

Fees dynamic(std::uint64_t fee, std::uint64_t tip) { return DynamicFee{Wei(fee), Wei(tip)}; }
Fees legacy(std::uint64_t price) { return LegacyFee{Wei(price)}; }

// geth's rule, implemented independently of core/txpool/legacypool/list.go: both fields must exceed the old ones and
// reach old × 110 / 100.
bool geth_accepts_replacement(const Fees& old, const Fees& replacement) {
    const auto field = [](const Wei& before, const Wei& after) {
        return after > before && after.value() >= before.value() * 110 / 100;
    };
    return field(max_fee(old), max_fee(replacement)) && field(max_priority_fee(old), max_priority_fee(replacement));
}

// Nethermind's, from CompareReplacedTxByFee: refused when old + old / 10 exceeds the new one.
bool nethermind_accepts_replacement(const Fees& old, const Fees& replacement) {
    const auto field = [](const Wei& before, const Wei& after) {
        return before.value() + before.value() / 10 <= after.value();
    };
    return field(max_fee(old), max_fee(replacement)) && field(max_priority_fee(old), max_priority_fee(replacement));
}

Fees any_fees(bool is_legacy) {
    const auto fee =
        *rc::gen::weightedOneOf<std::uint64_t>({{1, rc::gen::just<std::uint64_t>(0)},
                                                {2, rc::gen::inRange<std::uint64_t>(0, 20)},
                                                {3, rc::gen::inRange<std::uint64_t>(0, 1'000'000'000'000)}});
    if (is_legacy) return legacy(fee);
    return dynamic(fee, *rc::gen::inRange<std::uint64_t>(0, fee + 1));
}

RC_GTEST_PROP(FeesProperty, BumpSatisfiesAllNodesAndTheCap, (bool is_legacy)) {
    const Wei cap(*rc::gen::inRange<std::uint64_t>(0, 2'000'000'000'000));
    std::vector<Fees> attempts{any_fees(is_legacy)};
    RC_PRE(max_fee(attempts[0]) <= cap);
    for (int i = 0; i < 40; ++i) {
        const auto next = bump(attempts, any_fees(is_legacy), cap);
        if (!next) {
            RC_ASSERT(max_fee(replacement_minimum(attempts).value()) > cap);
            break;
        }
        for (const auto& attempt : attempts) {
            RC_ASSERT(geth_accepts_replacement(attempt, *next));
            RC_ASSERT(nethermind_accepts_replacement(attempt, *next));
        }
        RC_ASSERT(max_fee(*next) <= cap);
        RC_ASSERT(max_priority_fee(*next) <= max_fee(*next));
        RC_ASSERT(next->index() == attempts[0].index());
        attempts.push_back(*next);
    }
}

TEST(Fees, Failure32ZeroTipRises) {
    const std::vector<Fees> attempts{dynamic(100, 0)};
    EXPECT_EQ(replacement_minimum(attempts), dynamic(113, 1));
}

TEST(Fees, ABumpRoundsUp) {
    EXPECT_EQ(replacement_minimum(std::vector{legacy(8)}), legacy(9));
    EXPECT_EQ(replacement_minimum(std::vector{legacy(9)}), legacy(11));  // 10.125
    EXPECT_EQ(replacement_minimum(std::vector{legacy(0)}), legacy(1));
}

TEST(Fees, MinimumCoversAllAttempts) {
    // The second attempt lowered the tip and raised the maximum: both old ones must be outbid.
    const std::vector<Fees> attempts{dynamic(100, 80), dynamic(200, 10)};
    EXPECT_EQ(replacement_minimum(attempts), dynamic(225, 90));
}

TEST(Fees, BumpFollowsTheMarketUpToTheCap) {
    const std::vector<Fees> attempts{dynamic(100, 2)};
    EXPECT_EQ(bump(attempts, dynamic(300, 5), Wei(1000)).value(), dynamic(300, 5));
    EXPECT_EQ(bump(attempts, dynamic(300, 250), Wei(200)).value(), dynamic(200, 200));
    EXPECT_EQ(bump(attempts, dynamic(1, 1), Wei(1000)).value(), dynamic(113, 3))
        << "a low proposal is raised to the minimum";
}

TEST(Fees, Failure03BumpReportsTheCap) {
    const std::vector<Fees> attempts{dynamic(100, 2)};
    EXPECT_EQ(bump(attempts, dynamic(500, 5), Wei(112)).error(), BumpError::at_cap);
    EXPECT_TRUE(bump(attempts, dynamic(500, 5), Wei(113)));
}

TEST(Fees, FeesNear256BitsAreAtTheCapInsteadOfOverflowing) {
    const std::vector<Fees> attempts{LegacyFee{Wei(Uint256::max())}};
    EXPECT_EQ(bump(attempts, attempts[0], Wei(Uint256::max())).error(), BumpError::at_cap);
}

TEST(Fees, CostIsGasAtTheMaximumPlusValue) {
    EXPECT_EQ(max_cost(dynamic(10, 1), Gas(21'000), Wei(5)), Wei(210'005));
    EXPECT_EQ(max_cost(LegacyFee{Wei(Uint256::max())}, Gas(2), Wei(0)), std::nullopt);
    EXPECT_EQ(max_cost(legacy(1), Gas(1), Wei(Uint256::max())), std::nullopt);
}

TEST(Fees, ClampLowersBothFields) {
    EXPECT_EQ(clamp(dynamic(100, 90), Wei(50)), dynamic(50, 50));
    EXPECT_EQ(clamp(dynamic(40, 9), Wei(50)), dynamic(40, 9));
    EXPECT_EQ(clamp(legacy(100), Wei(50)), legacy(50));
}

TEST(Fees, RaisingTheTipKeepsTheBaseFeeShare) {
    EXPECT_EQ(raise_tip(dynamic(100, 2), Wei(30)), dynamic(128, 30));
    EXPECT_EQ(raise_tip(dynamic(100, 40), Wei(30)), dynamic(100, 40));
    EXPECT_EQ(raise_tip(legacy(20), Wei(30)), legacy(30));
    EXPECT_EQ(max_fee(raise_tip(dynamic(100, 2), Wei(Uint256::max()))), Wei(Uint256::max()));
}

TEST(FeesDeathTest, FactorOfOneAborts) {
    EXPECT_DEATH((void)replacement_minimum(std::vector{legacy(1)}, BumpFactor{1, 1}), "must raise");
}

}  // namespace
}  // namespace fencepost
