// The submitter's policy is checked again before allocation, and its sums over a time window survive restarts and
// takeovers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/lane_scenario.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::HasSubstr;

lane::LaneOptions limited(SpendLimits limits) {
    return {.confirmations_required = 3, .policy = SubmitterPolicy{.limits = limits}};
}

// A hundred wei an hour.
const auto hundred_an_hour = limited({.value_per_window = Wei(100), .window = 1h});

void expect_rejected_by_policy(const LaneScenario& scenario, TxId tx, const std::string& reason) {
    const auto view = scenario.view(tx);
    EXPECT_EQ(view.position.state, State::rejected);
    EXPECT_THAT(view.error, HasSubstr("POLICY: "));
    EXPECT_THAT(view.error, HasSubstr(reason));
    EXPECT_EQ(view.nonce, std::nullopt) << "it cost no nonce";
}

TEST(LanePolicy, RejectsAcceptedIntentThatIsNoLongerAllowed) {
    Address allowed;
    allowed.data.fill(9);
    auto options = hundred_an_hour;
    options.policy = SubmitterPolicy{.destinations = {allowed}};
    LaneScenario scenario({.lane = options});
    scenario.start("a");
    const auto elsewhere = scenario.accept(scenario.alice);
    auto right = LaneScenario::transfer(1);
    right.to = allowed.to_lower();
    const auto there = scenario.accept(scenario.alice, right);
    ASSERT_TRUE(scenario.run_until_settled());
    expect_rejected_by_policy(scenario, elsewhere, "may not send to");
    EXPECT_EQ(scenario.state(there), State::confirmed);
    EXPECT_EQ(scenario.view(there).nonce, Nonce(0));
    ASSERT_EQ(scenario.alerts.of(AlertKind::policy).size(), 1U);
    EXPECT_EQ(scenario.alerts.of(AlertKind::policy).front().level, AlertLevel::warning);
    EXPECT_EQ(scenario.alerts.of(AlertKind::policy).front().submitter, scenario.alice);
    scenario.expect_lawful();
}

TEST(LanePolicy, RejectsExcessiveGasCostOnceThePriceIsKnown) {
    LaneScenario scenario({.lane = limited({.gas_spend_per_transaction = Wei(1)})});
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    expect_rejected_by_policy(scenario, tx, "for the gas of one transaction");
}

TEST(LanePolicy, EnforcesTheWindowLimitWithinABatch) {
    LaneScenario scenario({.lane = hundred_an_hour});
    scenario.start("a");
    const auto first = scenario.accept(scenario.alice, LaneScenario::transfer(60));
    const auto too_much = scenario.accept(scenario.alice, LaneScenario::transfer(41));
    const auto fits = scenario.accept(scenario.alice, LaneScenario::transfer(40));
    const auto nothing_left = scenario.accept(scenario.alice, LaneScenario::transfer(1));
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(first), State::confirmed);
    EXPECT_EQ(scenario.state(fits), State::confirmed);
    expect_rejected_by_policy(scenario, too_much, "may send 100 wei within its time window; 60 wei is spent");
    expect_rejected_by_policy(scenario, nothing_left, "100 wei is spent");
    scenario.expect_lawful();
    scenario.run_for(1h);
    const auto later = scenario.accept(scenario.alice, LaneScenario::transfer(100));
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(later), State::confirmed) << "the window slides";
}

TEST(LanePolicy, SumsMaximumGasCost) {
    LaneScenario scenario({.lane = limited({.gas_spend_per_window = Wei(Uint256(3'000'000) * Uint256(gwei))})});
    scenario.start("a");
    auto intent = LaneScenario::transfer(1);
    intent.gas_limit = Gas(30'000);
    intent.fee = Fees(DynamicFee{Wei(Uint256(40 * gwei)), Wei(Uint256(gwei))});
    const auto first = scenario.accept(scenario.alice, intent);
    const auto second = scenario.accept(scenario.alice, intent);
    const auto third = scenario.accept(scenario.alice, intent);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(first), State::confirmed);
    EXPECT_EQ(scenario.state(second), State::confirmed);
    expect_rejected_by_policy(scenario, third, "may spend for gas");
}

// Crashes within the window; another node continues, or the same one after a restart.
void expect_sum_to_survive(const std::string& next_owner) {
    LaneScenario scenario({.lane = hundred_an_hour});
    auto& first = scenario.start("a");
    const auto before = scenario.accept(scenario.alice, LaneScenario::transfer(60));
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.run_for(30min);
    scenario.kill(first);
    scenario.start(next_owner);
    const auto too_much = scenario.accept(scenario.alice, LaneScenario::transfer(41));
    const auto fits = scenario.accept(scenario.alice, LaneScenario::transfer(40));
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(before), State::confirmed);
    expect_rejected_by_policy(scenario, too_much, "60 wei is spent");
    EXPECT_EQ(scenario.state(fits), State::confirmed);
    scenario.run_for(31min);
    const auto later = scenario.accept(scenario.alice, LaneScenario::transfer(60));
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(later), State::confirmed) << "what was sent before the crash has left the window";
    scenario.expect_lawful();
}

TEST(LanePolicy, RestartDoesNotResetTheWindow) { expect_sum_to_survive("a"); }
TEST(LanePolicy, TakeoverDoesNotResetTheWindow) { expect_sum_to_survive("b"); }

TEST(LanePolicy, CountsConnectorRequests) {
    LaneScenario scenario({.lane = hundred_an_hour, .connector = ConnectorAbilities{}});
    auto& first = scenario.start("a");
    scenario.accept(scenario.alice, LaneScenario::transfer(60));
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.kill(first);
    scenario.start("b");
    const auto too_much = scenario.accept(scenario.alice, LaneScenario::transfer(41));
    ASSERT_TRUE(scenario.run_until_settled());
    expect_rejected_by_policy(scenario, too_much, "60 wei is spent");
}

}  // namespace
}  // namespace fencepost::scenario
