#include "domain/submitter_policy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fencepost {
namespace {

using testing::HasSubstr;

const Address token = Address::parse("0x1111111111111111111111111111111111111111").value();
const Address unlisted = Address::parse("0x2222222222222222222222222222222222222222").value();
const Selector transfer = Selector::from(Bytes{0xa9, 0x05, 0x9c, 0xbb}).value();

Intent call(const Address& to, Bytes data, std::uint64_t value = 0) {
    return {.to = to.to_lower(), .value = Wei(value), .data = std::move(data)};
}

std::optional<PolicyRule> broken_by(const SubmitterPolicy& policy, const Intent& intent) {
    const auto status = check(policy, intent);
    if (status) return std::nullopt;
    EXPECT_FALSE(status.error().detail.empty());
    return status.error().rule;
}

TEST(SubmitterPolicy, EmptyPolicyAllowsEverythingButDeployments) {
    EXPECT_EQ(broken_by({}, call(unlisted, {1, 2, 3}, 1'000'000)), std::nullopt);
    EXPECT_EQ(broken_by({}, Intent{.data = {1}}), PolicyRule::deployment);
    EXPECT_EQ(broken_by({.allow_deployments = true}, Intent{.data = {1}}), std::nullopt);
}

TEST(SubmitterPolicy, AllowsOnlyListedDestinations) {
    const SubmitterPolicy policy{.destinations = {token}};
    EXPECT_EQ(broken_by(policy, call(token, {})), std::nullopt);
    EXPECT_EQ(broken_by(policy, call(unlisted, {})), PolicyRule::destination);
    EXPECT_THAT(check(policy, call(unlisted, {})).error().detail, HasSubstr(unlisted.to_lower()));
}

TEST(SubmitterPolicy, AllowsOnlyListedFunctions) {
    const SubmitterPolicy policy{.selectors = {transfer}};
    EXPECT_EQ(broken_by(policy, call(token, {0xa9, 0x05, 0x9c, 0xbb})), std::nullopt);
    EXPECT_EQ(broken_by(policy, call(token, {0xa9, 0x05, 0x9c, 0xbb, 7})), std::nullopt);
    EXPECT_EQ(broken_by(policy, call(token, {0xa9, 0x05, 0x9c, 0xbc})), PolicyRule::selector);
    EXPECT_EQ(broken_by(policy, call(token, {0xa9, 0x05, 0x9c})), PolicyRule::selector) << "reaches the fallback";
}

TEST(SubmitterPolicy, PlainTransferIsNoListedFunction) {
    EXPECT_EQ(broken_by({.selectors = {transfer}}, call(token, {}, 1)), PolicyRule::selector);
    EXPECT_EQ(broken_by({.selectors = {transfer}, .allow_plain_transfers = true}, call(token, {}, 1)), std::nullopt);
}

TEST(SubmitterPolicy, DeploymentsDoNotBypassListsOrLimits) {
    const SubmitterPolicy policy{.destinations = {token},
                                 .selectors = {transfer},
                                 .allow_deployments = true,
                                 .limits = {.value_per_transaction = Wei(5)}};
    EXPECT_EQ(broken_by(policy, Intent{.value = Wei(5), .data = {1}}), std::nullopt);
    EXPECT_EQ(broken_by(policy, Intent{.value = Wei(6), .data = {1}}), PolicyRule::value_per_transaction);
}

TEST(SubmitterPolicy, LimitIsInclusive) {
    const SubmitterPolicy policy{.limits = {.value_per_transaction = Wei(10)}};
    EXPECT_EQ(broken_by(policy, call(token, {}, 10)), std::nullopt);
    EXPECT_EQ(broken_by(policy, call(token, {}, 11)), PolicyRule::value_per_transaction);
    EXPECT_EQ(broken_by({.limits = {.value_per_transaction = Wei(0)}}, call(token, {}, 1)),
              PolicyRule::value_per_transaction);
}

TEST(SubmitterPolicy, ChecksGasAtAcceptanceOnlyIfTheCallerSetLimitAndFee) {
    const SubmitterPolicy policy{.limits = {.gas_spend_per_transaction = Wei(1'000)}};
    auto intent = call(token, {});
    intent.gas_limit = Gas(101);
    EXPECT_EQ(broken_by(policy, intent), std::nullopt) << "the price is not known yet";
    intent.fee = Fees(LegacyFee{Wei(10)});
    EXPECT_EQ(broken_by(policy, intent), PolicyRule::gas_spend_per_transaction);
    intent.gas_limit = Gas(100);
    EXPECT_EQ(broken_by(policy, intent), std::nullopt);
}

TEST(SubmitterPolicy, OverflowingGasSpendIsRefused) {
    const SpendLimits limits{.gas_spend_per_transaction = Wei(Uint256::max())};
    EXPECT_TRUE(check_gas_spend(limits, Gas(1), LegacyFee{Wei(Uint256::max())}));
    EXPECT_FALSE(check_gas_spend(limits, Gas(2), LegacyFee{Wei(Uint256::max())}));
    EXPECT_FALSE(spending_of({}, Gas(2), LegacyFee{Wei(Uint256::max())}));
}

TEST(SubmitterPolicy, OverflowingSumIsRefused) {
    const SpendLimits limits{.value_per_window = Wei(Uint256::max())};
    EXPECT_TRUE(check_window(limits, {.value = Wei(Uint256::max())}, {}));
    EXPECT_FALSE(check_window(limits, {.value = Wei(Uint256::max())}, {.value = Wei(1)}));
}

RC_GTEST_PROP(SubmitterPolicyProperty, WindowNeverExceedsItsLimits,
              (std::uint16_t value_limit, std::uint16_t gas_limit)) {
    const SpendLimits limits{.value_per_window = Wei(value_limit), .gas_spend_per_window = Wei(gas_limit)};
    Spending spent;
    for (const auto amount : *rc::gen::container<std::vector<std::uint16_t>>(rc::gen::arbitrary<std::uint16_t>())) {
        const Spending next{.value = Wei(amount / 2U), .gas = Wei(amount / 3U)};
        const auto allowed = check_window(limits, spent, next);
        const Spending sum{.value = Wei(spent.value.value() + next.value.value()),
                           .gas = Wei(spent.gas.value() + next.gas.value())};
        RC_ASSERT(allowed.has_value() == (sum.value <= Wei(value_limit) && sum.gas <= Wei(gas_limit)));
        if (allowed) spent = sum;
    }
}

}  // namespace
}  // namespace fencepost
