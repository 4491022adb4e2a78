// A crash at every effect of a transaction's life: a first run counts the effects, then one run per point crashes the
// node there. Nothing is lost, sent with another nonce, or executed twice (failures 1, 2 and 7).
#include <gtest/gtest.h>

#include "support/lane_scenario.hpp"

namespace fencepost::scenario {
namespace {

constexpr std::size_t crash_transactions = 3;

std::size_t count_points() {
    LaneScenario scenario;
    scenario.start("a");
    scenario.accept(scenario.alice, crash_transactions);
    EXPECT_TRUE(scenario.run_until_settled());
    return scenario.points.passed().size();
}

std::size_t count_writes() {
    LaneScenario scenario;
    auto& node = scenario.start("a");
    scenario.accept(scenario.alice, crash_transactions);
    EXPECT_TRUE(scenario.run_until_settled());
    scenario.run_for(1s);
    return node.store().written().size();
}

void expect_settled_lawfully(LaneScenario& scenario) {
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    scenario.expect_lawful();
    for (const auto& tx : scenario.all()) {
        EXPECT_EQ(tx.position.state, State::confirmed);
        EXPECT_EQ(scenario.get(scenario.store->attempts(tx.id)).value().size(), 1U) << "nothing is signed again";
    }
}

TEST(LaneCrash, Failure01And02And07CrashAnywhereLosesAndDuplicatesNothing) {
    const auto points = count_points();
    ASSERT_GT(points, 10U) << "the life has effects";
    for (std::size_t point = 0; point < points; ++point) {
        LaneScenario scenario;
        auto& first = scenario.start("a");
        scenario.points.crash_at(point, [&] { scenario.kill(first); });
        scenario.accept(scenario.alice, crash_transactions);
        ASSERT_TRUE(scenario.run_until([&] { return !first.process().is_alive(); }));
        SCOPED_TRACE("dies at " + scenario.points.passed().at(point) + ", point " + std::to_string(point));
        scenario.start("b");
        expect_settled_lawfully(scenario);
        if (HasFailure()) return;
    }
}

TEST(LaneCrash, SecondCrashDuringRecoveryChangesNothing) {
    const auto points = count_points();
    for (std::size_t point = 0; point < points; point += 2) {
        LaneScenario scenario;
        auto& first = scenario.start("a");
        scenario.points.crash_at(point, [&] { scenario.kill(first); });
        scenario.accept(scenario.alice, crash_transactions);
        ASSERT_TRUE(scenario.run_until([&] { return !first.process().is_alive(); }));
        auto& second = scenario.start("b");
        scenario.points.crash_at(point + 2 + point % 5, [&] { scenario.kill(second); });
        // It may have no work left, and survive.
        std::ignore = scenario.run_until([&] { return !second.process().is_alive(); }, 1min);
        SCOPED_TRACE("dies at " + scenario.points.passed().at(point) + ", point " + std::to_string(point));
        scenario.start("c");
        expect_settled_lawfully(scenario);
        if (HasFailure()) return;
    }
}

TEST(LaneCrash, LostCommitAnswerIsResolvedByReopening) {
    const auto writes = count_writes();
    for (std::size_t write = 0; write < writes; ++write) {
        SCOPED_TRACE("the answer to write " + std::to_string(write) + " is lost");
        LaneScenario scenario;
        auto& node = scenario.start("a");
        node.store().lose_answer_of_write(write);
        scenario.accept(scenario.alice, crash_transactions);
        expect_settled_lawfully(scenario);
        scenario.run_for(1s);  // the last writes come after the verdict
        EXPECT_GE(scenario.telemetry.of(Counter::lease_acquire, "reopened"), 1U) << "the token was raised";
        if (HasFailure()) return;
    }
}

TEST(LaneCrash, CrashPointsTrigger) {
    CrashPoints points;
    bool dead = false;
    points.crash_at(1, [&] { dead = true; });
    EXPECT_FALSE(points.pass("first"));
    EXPECT_TRUE(points.pass("second"));
    EXPECT_TRUE(dead);
}

}  // namespace
}  // namespace fencepost::scenario
