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

TEST(SendReport, Failure28OneRefusalIsNoAgreement) {
    EXPECT_TRUE(is_permanently_refused(report({intrinsic_gas, intrinsic_gas}), defaults));
    EXPECT_TRUE(is_permanently_refused(report({intrinsic_gas, rejected, unknown}), defaults))
        << "an endpoint without an answer has no vote";
    EXPECT_FALSE(is_permanently_refused(report({intrinsic_gas, unknown}), defaults)) << "one vote is not enough";
    EXPECT_FALSE(is_permanently_refused(report({intrinsic_gas, rejected, accepted}), defaults));
    EXPECT_FALSE(is_permanently_refused(report({intrinsic_gas, rejected, pool_full}), defaults));
}

TEST(SendReport, OnlyADifferentAnswerContradictsARefusal) {
    EXPECT_FALSE(contradicts_refusal(report({rejected, unknown})));
    EXPECT_FALSE(contradicts_refusal(report({unknown})));
    EXPECT_TRUE(contradicts_refusal(report({rejected, accepted})));
    EXPECT_TRUE(contradicts_refusal(report({rejected, pool_full})));
}

TEST(SendReport, SingleEndpointDecidesAlone) {
    EXPECT_TRUE(is_permanently_refused(report({over_block_gas_limit}), defaults));
    EXPECT_FALSE(is_permanently_refused(report({unknown}), defaults));
    EXPECT_FALSE(is_permanently_refused(report({}), defaults));
}

TEST(SendReport, ShortfallNeedsAgreementAndIsNoRefusal) {
    EXPECT_TRUE(is_unpayable(report({insufficient_funds, insufficient_funds}), defaults));
    EXPECT_FALSE(is_unpayable(report({insufficient_funds, already_known}), defaults));
    EXPECT_FALSE(is_permanently_refused(report({insufficient_funds, insufficient_funds}), defaults));
}

TEST(SendReport, IsRefusedForRoomOnlyIfAllAnswersSaySo) {
    EXPECT_TRUE(is_refused_for_room(report({pool_full, unknown})));
    EXPECT_TRUE(is_refused_for_room(report({account_limit})));
    EXPECT_FALSE(is_refused_for_room(report({pool_full, accepted})));
    EXPECT_FALSE(is_refused_for_room(report({pool_full, price_floor})));
    EXPECT_FALSE(is_refused_for_room(report({unknown, not_sent})));
    EXPECT_TRUE(is_refused_by_full_pool(report({account_limit, underpriced})));
    EXPECT_FALSE(is_refused_by_full_pool(report({account_limit})));
}

TEST(SendReport, NotSentIsNoAnswer) {
    EXPECT_TRUE(is_not_sent(report({not_sent, not_sent})));
    EXPECT_FALSE(is_not_sent(report({not_sent, unknown}))) << "it may have been sent to one of them";
    EXPECT_FALSE(is_not_sent(report({})));
    EXPECT_FALSE(is_answered(report({not_sent, unknown})));
    EXPECT_FALSE(contradicts_refusal(report({rejected, not_sent})));
}

TEST(SendReport, Failure71LeastTipIsTheLowestRequirement) {
    const auto asks = [](std::uint64_t tip) { return SendReport::Answer{"e", price_floor, "", Wei(Uint256(tip))}; };
    EXPECT_EQ(min_tip_of({{asks(30), asks(20)}}), Wei(20)) << "one accepting endpoint is enough";
    EXPECT_EQ(min_tip_of({{asks(30), {"e", unknown}}}), Wei(30));
    EXPECT_EQ(min_tip_of({{asks(30), {"e", accepted}}}), std::nullopt);
    EXPECT_EQ(min_tip_of({{asks(30), {"e", pool_full}}}), std::nullopt);
    EXPECT_EQ(min_tip_of({{asks(30), {"e", price_floor}}}), std::nullopt) << "it reports no amount";
    EXPECT_EQ(min_tip_of({}), std::nullopt);
}

TEST(SendReport, UsesTheRequiredMetricLabels) {
    EXPECT_EQ(label_of(report({accepted, already_known})), "success");
    EXPECT_EQ(label_of(report({already_known, unknown})), "idempotent");
    EXPECT_EQ(label_of(report({unknown, unknown})), "grey_zone");
    EXPECT_EQ(label_of(report({intrinsic_gas, rejected})), "rejected");
    EXPECT_EQ(label_of(report({pool_full})), "transient");
}

}  // namespace
}  // namespace fencepost::lane
