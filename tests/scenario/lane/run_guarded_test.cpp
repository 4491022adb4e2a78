// Exceptions that violate a port's contract: one lane reopens, an alert is logged, and the node's other lanes continue.
#include <gtest/gtest.h>

#include "support/lane_scenario.hpp"

namespace fencepost::scenario {
namespace {

TEST(LaneRunGuarded, ExceptionInOneLaneAffectsNoOtherLane) {
    LaneScenario scenario;
    auto& node = scenario.start("a");
    node.store().throw_at_load(scenario.alice, 5);
    scenario.accept(scenario.alice, 3);
    scenario.accept(scenario.bob, 3);
    ASSERT_TRUE(scenario.run_until_settled(1min)) << scenario.log.text();
    EXPECT_TRUE(scenario.log.has(Severity::alert, "Lane failed")) << scenario.log.text();
    EXPECT_TRUE(scenario.log.has(Severity::alert, "an injected error in the store"));
    EXPECT_FALSE(node.is_stopped());
    EXPECT_EQ(scenario.submitter(scenario.bob).lease->token, FenceToken(1)) << "bob's lane was opened once";
    EXPECT_EQ(scenario.submitter(scenario.alice).lease->token, FenceToken(6)) << "alice's once more per error";
    scenario.expect_lawful();
}

TEST(LaneRunGuarded, PermanentlyThrowingLaneDoesNotSpin) {
    LaneScenario scenario;
    auto& node = scenario.start("a");
    node.store().throw_at_load(scenario.alice, 1'000'000);
    scenario.accept(scenario.alice);
    scenario.run_for(60s);
    EXPECT_LE(scenario.submitter(scenario.alice).lease->token, FenceToken(80));
    node.stop();
    EXPECT_TRUE(scenario.run_until([&] { return node.is_stopped(); }, 2s)) << "and stops on request";
}

TEST(LaneRunGuarded, ThrowingCommitReopensTheLanes) {
    std::size_t write = 0;
    for (bool threw = true; threw; ++write) {
        LaneScenario scenario;
        auto& node = scenario.start("a");
        node.store().throw_at_write(write);
        scenario.accept(scenario.alice, 3);
        scenario.accept(scenario.bob, 3);
        ASSERT_TRUE(scenario.run_until_settled(1min)) << scenario.log.text();
        threw = scenario.log.has(Severity::alert, "Store threw");
        EXPECT_FALSE(node.is_stopped());
        scenario.expect_lawful();
    }
    EXPECT_GE(write, 8U) << "each commit of an error-free run was tried";
}

TEST(LaneRunGuarded, ThrowingRenewalIsRetriedAndEndsNoLane) {
    LaneScenario scenario({.lane = {.confirmations_required = 1'000}});
    auto& node = scenario.start("a");
    scenario.accept(scenario.alice);
    scenario.run_for(4s);
    node.store().throw_at_renewal();
    scenario.run_for(1min);
    EXPECT_FALSE(node.is_stopped());
    EXPECT_TRUE(scenario.log.has(Severity::alert, "Lease renewal failed"));
    EXPECT_EQ(scenario.submitter(scenario.alice).lease->token, FenceToken(1));
}

}  // namespace
}  // namespace fencepost::scenario
