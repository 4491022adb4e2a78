// Alerts: each problem has its own kind, and is raised only after the commit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lane/bump/policies.hpp"
#include "support/conditions.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TxId lose_nonce(LaneScenario& scenario) {
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    EXPECT_TRUE(scenario.run_until([&] { return scenario.state(tx) == State::tracking; }));
    EXPECT_TRUE(is_held(scenario.network.inject(scenario.sign_externally(scenario.alice, Nonce(0), 50).raw).outcome));
    scenario.network.mine();
    EXPECT_TRUE(scenario.run_until([&] { return scenario.state(tx) == State::stuck; }, 1min));
    return tx;
}

TEST(LaneAlerts, LostNonceRaisesItsAlertKind) {
    LaneScenario scenario({.lane = reconciles_soon});
    const auto tx = lose_nonce(scenario);
    EXPECT_TRUE(scenario.view(tx).needs_operator());
    EXPECT_THAT(scenario.alerts.of(AlertKind::nonce_taken),
                AllOf(Not(IsEmpty()), Each(Field(&Alert::level, AlertLevel::error)),
                      Each(Field(&Alert::submitter, scenario.alice)),
                      Each(Field(&Alert::message, HasSubstr(tx.value().to_string())))));
    EXPECT_THAT(scenario.alerts.of(AlertKind::protect),
                AllOf(Not(IsEmpty()), Each(Field(&Alert::level, AlertLevel::critical))));
}

TEST(LaneAlerts, RaisesAlertsOnlyAfterTheCommit) {
    LaneScenario scenario({.lane = reconciles_soon});
    std::size_t seen = 0;
    scenario.alerts.watch([&](const Alert& alert) {
        ++seen;
        EXPECT_EQ(scenario.submitter(scenario.alice).status.status, SubmitterStatus::protect) << name_of(alert.kind);
        EXPECT_EQ(scenario.all().front().position.sub, SubState::nonce_taken) << name_of(alert.kind);
    });
    lose_nonce(scenario);
    EXPECT_EQ(seen, 2U);
}

TEST(LaneAlerts, HandOverToAnOperatorRaisesStuck) {
    lane::AlwaysDecide policy(StuckDecision::hand_to_person);
    LaneScenario scenario(
        {.lane = {.confirmations_required = 3, .resubmit_interval = 5s, .resubmit = {.max_attempts = 3}},
         .stuck_policy = &policy});
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    EXPECT_FALSE(scenario.view(tx).needs_operator());
    ASSERT_TRUE(scenario.run_until([&] { return !scenario.alerts.of(AlertKind::stuck).empty(); }, 10min));
    EXPECT_TRUE(scenario.view(tx).needs_operator());
    EXPECT_EQ(scenario.alerts.of(AlertKind::stuck).front().level, AlertLevel::error);
    EXPECT_THAT(scenario.alerts.of(AlertKind::stuck).front().message, HasSubstr(tx.value().to_string()));
}

TEST(LaneAlerts, RepeatedReconcileFailureIsCritical) {
    LaneScenario scenario({.lane = reconciles_soon});
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(tx) == State::tracking; }));
    scenario.one.set_down(true);
    scenario.two.set_down(true);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.telemetry.of(Counter::reconcile, "unknown") == 2; }, 5min));
    EXPECT_THAT(scenario.alerts.of(AlertKind::reconcile_failure), IsEmpty());
    ASSERT_TRUE(scenario.run_until([&] { return scenario.telemetry.of(Counter::reconcile, "unknown") == 3; }, 5min));
    EXPECT_THAT(scenario.alerts.of(AlertKind::reconcile_failure), Not(IsEmpty()));
    EXPECT_EQ(scenario.alerts.of(AlertKind::reconcile_failure).front().level, AlertLevel::critical);
}

TEST(LaneAlerts, RaisesNothingInNormalOperation) {
    LaneScenario scenario;
    scenario.start("a");
    scenario.accept(scenario.alice, 5);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.run_for(10min);
    EXPECT_THAT(scenario.alerts.raised(), IsEmpty());
}

}  // namespace
}  // namespace fencepost::scenario
