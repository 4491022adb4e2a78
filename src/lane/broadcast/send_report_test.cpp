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
        << "who is silent has no vote";
    EXPECT_FALSE(is_refused_for_good(report({intrinsic_gas, unknown}), defaults)) << "and one voice is not enough";
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

TEST(SendReport, IsCountedInTheSeedsWords) {
    EXPECT_EQ(label_of(report({accepted, already_known})), "success");
    EXPECT_EQ(label_of(report({already_known, unknown})), "idempotent");
    EXPECT_EQ(label_of(report({unknown, unknown})), "grey_zone");
    EXPECT_EQ(label_of(report({intrinsic_gas, rejected})), "rejected");
    EXPECT_EQ(label_of(report({pool_full})), "transient");
}

}  // namespace
}  // namespace fencepost::lane
