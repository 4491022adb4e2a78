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

const LaneOptions options{};
using enum SendOutcome;

TEST(SendReport, Failure28OneEndpointsRefusalIsNoAgreement) {
    EXPECT_TRUE(is_refused_for_good(report({intrinsic_gas, intrinsic_gas}), options));
    EXPECT_TRUE(is_refused_for_good(report({intrinsic_gas, rejected, unknown}), options))
        << "who is silent has no vote";
    EXPECT_FALSE(is_refused_for_good(report({intrinsic_gas, unknown}), options)) << "and one voice is not enough";
    EXPECT_FALSE(is_refused_for_good(report({intrinsic_gas, rejected, accepted}), options));
    EXPECT_FALSE(is_refused_for_good(report({intrinsic_gas, rejected, pool_full}), options));
}

TEST(SendReport, TheOnlyEndpointThereIsDecidesAlone) {
    EXPECT_TRUE(is_refused_for_good(report({over_block_gas_limit}), options));
    EXPECT_FALSE(is_refused_for_good(report({unknown}), options));
    EXPECT_FALSE(is_refused_for_good(report({}), options));
}

TEST(SendReport, AShortfallIsBelievedWhenEndpointsAgreeAndIsNoRefusal) {
    EXPECT_TRUE(is_unpayable(report({insufficient_funds, insufficient_funds}), options));
    EXPECT_FALSE(is_unpayable(report({insufficient_funds, already_known}), options));
    EXPECT_FALSE(is_refused_for_good(report({insufficient_funds, insufficient_funds}), options));
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
