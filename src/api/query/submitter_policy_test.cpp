#include "api/query/submitter_policy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text/hex.hpp"

namespace fencepost::api {
namespace {

using testing::HasSubstr;

const auto limited = SubmitterId::parse("eip155:1:0x1111111111111111111111111111111111111111").value();
const auto free_one = SubmitterId::parse("eip155:2:0x1111111111111111111111111111111111111111").value();
const auto token = Address::parse("0x3333333333333333333333333333333333333333").value();

PolicyRules rules() {
    return PolicyRules([](const SubmitterId& submitter) {
        static const SubmitterPolicy policy{
            .destinations = {token},
            .selectors = {parse_selector("transfer(address,uint256)").value()},
            .limits = {.value_per_transaction = Wei(5), .gas_spend_per_transaction = Wei(100)}};
        return submitter == limited ? &policy : nullptr;
    });
}

Intent transfer() { return {.to = token.to_lower(), .data = {0xa9, 0x05, 0x9c, 0xbb}}; }

std::string field_that_breaks(const Intent& intent) {
    const auto checked = rules().check(limited, intent);
    return checked ? "none" : checked.error().field;
}

TEST(PolicyRules, AllowsEverythingWithoutAPolicy) {
    EXPECT_TRUE(rules().check(free_one, Intent{.value = Wei(1'000), .data = {1}}));
    EXPECT_FALSE(rules().check(limited, Intent{.value = Wei(1'000), .data = {1}}));
}

TEST(PolicyRules, NamesTheFieldThatBreaksTheRule) {
    EXPECT_EQ(field_that_breaks(transfer()), "none");
    auto intent = transfer();
    intent.to = std::nullopt;
    EXPECT_EQ(field_that_breaks(intent), "payload.to");
    intent.to = "0x4444444444444444444444444444444444444444";
    EXPECT_EQ(field_that_breaks(intent), "payload.to");
    intent = transfer();
    intent.data = {1, 2, 3, 4};
    EXPECT_EQ(field_that_breaks(intent), "payload.data");
    intent = transfer();
    intent.value = Wei(6);
    EXPECT_EQ(field_that_breaks(intent), "payload.value");
    intent = transfer();
    intent.gas_limit = Gas(101);
    intent.fee = Fees(LegacyFee{Wei(1)});
    EXPECT_EQ(field_that_breaks(intent), "payload.fee");
}

TEST(ParseSelector, AcceptsDigitsOrASignature) {
    EXPECT_EQ(to_hex_prefixed(parse_selector("0xA9059cbb").value().view()), "0xa9059cbb");
    EXPECT_EQ(to_hex_prefixed(parse_selector("transfer(address to, uint256 amount)").value().view()), "0xa9059cbb");
    for (const auto* const wrong : {"", "0x", "0xa9059c", "0xa9059cbb00", "0xzzzzzzzz", "transfer", "transfer(adress)"})
        EXPECT_FALSE(parse_selector(wrong)) << wrong;
}

}  // namespace
}  // namespace fencepost::api
