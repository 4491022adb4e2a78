#include "lane/broadcast/send_report.hpp"

#include <gtest/gtest.h>

namespace fencepost::lane {
namespace {

SendReport report(std::initializer_list<SendOutcome> outcomes) {
    SendReport report;
    for (const auto outcome : outcomes)
        report.answers.push_back({"e", outcome, ""});
    return report;
}

const LaneOptions defaults{};
using enum SendOutcome;

TEST(SendReport, Failure28OneEndpointsRefusalIsNoAgreement) {
    EXPECT_TRUE(is_refused_for_good(report({intrinsic_gas, intrinsic_gas}), defaults));
    EXPECT_TRUE(is_refused_for_good(report({intrinsic_gas, rejected, unknown}), defaults))
        << "an endpoint without an answer has no vote";
    EXPECT_FALSE(is_refused_for_good(report({intrinsic_gas, unknown}), defaults)) << "one vote is not enough";
    EXPECT_FALSE(is_refused_for_good(report({intrinsic_gas, rejected, accepted}), defaults));
    EXPECT_FALSE(is_refused_for_good(report({intrinsic_gas, rejected, pool_full}), defaults));
}

TEST(SendReport, OnlyAnotherAnswerContradictsARefusal) {
    EXPECT_FALSE(contradicts_refusal(report({rejected, unknown})));
    EXPECT_FALSE(contradicts_refusal(report({unknown})));
    EXPECT_TRUE(contradicts_refusal(report({rejected, accepted})));
    EXPECT_TRUE(contradicts_refusal(report({rejected, pool_full})));
}

TEST(SendReport, TheOnlyEndpointThereIsDecidesAlone) {
    EXPECT_TRUE(is_refused_for_good(report({over_block_gas_limit}), defaults));
    EXPECT_FALSE(is_refused_for_good(report({unknown}), defaults));
    EXPECT_FALSE(is_refused_for_good(report({}), defaults));
}

TEST(SendReport, AShortfallIsBelievedWhenEndpointsAgreeAndIsNoRefusal) {
    EXPECT_TRUE(is_unpayable(report({insufficient_funds, insufficient_funds}), defaults));
    EXPECT_FALSE(is_unpayable(report({insufficient_funds, already_known}), defaults));
    EXPECT_FALSE(is_refused_for_good(report({insufficient_funds, insufficient_funds}), defaults));
}

TEST(SendReport, IsRefusedForRoomOnlyWhereNoEndpointHoldsItOrSaysSomethingElse) {
    EXPECT_TRUE(is_refused_for_room(report({pool_full, unknown})));
    EXPECT_TRUE(is_refused_for_room(report({account_limit})));
    EXPECT_FALSE(is_refused_for_room(report({pool_full, accepted})));
    EXPECT_FALSE(is_refused_for_room(report({pool_full, price_floor})));
    EXPECT_FALSE(is_refused_for_room(report({unknown, not_sent})));
    EXPECT_TRUE(is_refused_by_full_pool(report({account_limit, underpriced})));
    EXPECT_FALSE(is_refused_by_full_pool(report({account_limit})));
}

TEST(SendReport, WhatNeverLeftIsNoAnswer) {
    EXPECT_TRUE(is_not_sent(report({not_sent, not_sent})));
    EXPECT_FALSE(is_not_sent(report({not_sent, unknown}))) << "it may have been sent to one of them";
    EXPECT_FALSE(is_not_sent(report({})));
    EXPECT_FALSE(is_answered(report({not_sent, unknown})));
    EXPECT_FALSE(contradicts_refusal(report({rejected, not_sent})));
}

TEST(SendReport, Failure71TheLeastTipIsTheLowestThatAllEndpointsName) {
    const auto asks = [](std::uint64_t tip) { return SendReport::Answer{"e", price_floor, "", Wei(Uint256(tip))}; };
    EXPECT_EQ(least_tip_of({{asks(30), asks(20)}}), Wei(20)) << "one accepting endpoint is enough";
    EXPECT_EQ(least_tip_of({{asks(30), {"e", unknown}}}), Wei(30));
    EXPECT_EQ(least_tip_of({{asks(30), {"e", accepted}}}), std::nullopt);
    EXPECT_EQ(least_tip_of({{asks(30), {"e", pool_full}}}), std::nullopt);
    EXPECT_EQ(least_tip_of({{asks(30), {"e", price_floor}}}), std::nullopt) << "it reports no amount";
    EXPECT_EQ(least_tip_of({}), std::nullopt);
}

TEST(SendReport, IsCountedInTheSeedsWords) {
    EXPECT_EQ(label_of(report({accepted, already_known})), "success");
    EXPECT_EQ(label_of(report({already_known, unknown})), "idempotent");
    EXPECT_EQ(label_of(report({unknown, unknown})), "grey_zone");
    EXPECT_EQ(label_of(report({intrinsic_gas, rejected})), "rejected");
    EXPECT_EQ(label_of(report({pool_full})), "transient");
}

}  // namespace
}  // namespace fencepost::lane
