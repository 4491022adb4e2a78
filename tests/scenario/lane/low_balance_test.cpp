// The low-balance alert: raised while the account can still pay.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/lane_scenario.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::HasSubstr;

lane::LaneOptions warns_below(const Uint256& amount) {
    return {.confirmations_required = 3, .reconcile_interval = 1min, .low_balance = Wei(amount)};
}

std::size_t warnings(const LaneScenario& scenario) { return scenario.alerts.of(AlertKind::low_balance).size(); }

Intent transfer_of(const Uint256& amount) {
    auto intent = LaneScenario::transfer(0);
    intent.value = Wei(amount);
    return intent;
}

TEST(LaneLowBalance, AlertsOncePerDropBelowTheThreshold) {
    LaneScenario scenario({.lane = warns_below(ether * 100)});
    scenario.start("a");
    scenario.accept(scenario.alice, transfer_of(ether * 850));
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(warnings(scenario), 0U) << "150 are left";
    scenario.accept(scenario.alice, transfer_of(ether * 60));
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.accept(scenario.alice, transfer_of(ether * 10));
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.run_for(10min);
    ASSERT_EQ(warnings(scenario), 1U) << "once, however long it stays so";
    const auto alert = scenario.alerts.of(AlertKind::low_balance).front();
    EXPECT_EQ(alert.level, AlertLevel::warning);
    EXPECT_EQ(alert.submitter, scenario.alice);
    EXPECT_THAT(alert.message, HasSubstr("fund it"));
    scenario.network.ledger().fund(*scenario.alice.evm_address(), ether * 500);
    scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(warnings(scenario), 1U);
    scenario.accept(scenario.alice, transfer_of(ether * 500));
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(warnings(scenario), 2U);
    scenario.expect_lawful();
}

TEST(LaneLowBalance, SubtractsFundsInFlight) {
    LaneScenario scenario({.lane = warns_below(ether * 100)});
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice, transfer_of(ether * 950));
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(tx) == State::tracking; }));
    ASSERT_TRUE(scenario.run_until([&] { return warnings(scenario) == 1; }, 4min)) << "nothing is mined yet";
}

TEST(LaneLowBalance, ReconcilerChecksTheBalanceOfAnIdleSubmitter) {
    LaneScenario scenario({.lane = warns_below(ether * 100)});
    auto& node = scenario.start("a");
    scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return node.host().is_idle(scenario.alice); }));
    ASSERT_EQ(warnings(scenario), 0U);
    // External use stopped the key; and most of the funds are gone.
    auto outside = scenario.signer.sign_now({.from = scenario.alice,
                                             .nonce = Nonce(1),
                                             .to = "0x00000000000000000000000000000000000000bb",
                                             .value = Wei(ether * 950),
                                             .data = {},
                                             .gas_limit = Gas(21'000),
                                             .fees = DynamicFee{Wei(Uint256(100 * gwei)), Wei(Uint256(gwei))}});
    scenario.network.inject(outside.raw);
    ASSERT_TRUE(scenario.run_until([&] { return warnings(scenario) == 1; }, 4min));
}

TEST(LaneLowBalance, NoAlertWithoutAThreshold) {
    LaneScenario scenario;
    scenario.start("a");
    scenario.accept(scenario.alice, transfer_of(ether * 999));
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(warnings(scenario), 0U);
}

}  // namespace
}  // namespace fencepost::scenario
