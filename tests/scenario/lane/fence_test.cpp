// Law 1: a node that has lost the lease writes nothing and sends nothing, however late it detects the loss.
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/lane_scenario.hpp"
#include "support/seed_count.hpp"

namespace fencepost::scenario {
namespace {

// The time of this node's last send.
std::optional<Instant> last_send(LaneScenario& scenario, const std::string& node) {
    std::optional<Instant> last;
    for (const auto& entry : scenario.network.record().entries())
        if (entry.node == node) last = entry.left_at;
    return last;
}

std::optional<Lease> lease(LaneScenario& scenario) { return scenario.submitter(scenario.alice).lease; }

bool run_until_owner(LaneScenario& scenario, const std::string& node) {
    return scenario.run_until([&] { return lease(scenario) && lease(scenario)->owner == NodeId(node); }, 1min);
}

// Node a has work in flight and is paused; node b has taken over.
void pause_and_take_over(LaneScenario& scenario, Node& old_owner) {
    scenario.accept(scenario.alice, 10);
    ASSERT_TRUE(scenario.run_until([&] { return lease(scenario).has_value(); }));
    scenario.run_for(30ms);
    scenario.world.pause(old_owner.process());
    scenario.start("b");
    ASSERT_TRUE(run_until_owner(scenario, "b"));
}

TEST(LaneFence, PausedOwnerSendsNothingAfterTheTakeover) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        LaneScenario scenario({.seed = seed});
        auto& old_owner = scenario.start("a");
        ASSERT_NO_FATAL_FAILURE(pause_and_take_over(scenario, old_owner));
        const auto taken_over = scenario.world.now();
        scenario.world.resume(old_owner.process());
        scenario.run_for(5s);
        EXPECT_TRUE(!last_send(scenario, "a") || *last_send(scenario, "a") < taken_over);
        EXPECT_FALSE(old_owner.host().is_open(scenario.alice));
        ASSERT_TRUE(scenario.run_until_settled());
        scenario.expect_lawful();
    }
}

TEST(LaneFence, StaleOwnersCommitIsFencedAndCounted) {
    LaneScenario scenario({.host = {.lease = 10s, .renew_every = 3s}});
    // Its local clock does not tell: it assumes a lease of an hour, and learns the truth from the database.
    auto believer = scenario.setup;
    believer.host.clock_skew_allowance = -1h;
    auto& old_owner = scenario.start("a", believer);
    ASSERT_NO_FATAL_FAILURE(pause_and_take_over(scenario, old_owner));
    scenario.world.resume(old_owner.process());
    scenario.run_for(5s);
    EXPECT_GE(
        scenario.telemetry.of(Counter::lease_fenced, "write") + scenario.telemetry.of(Counter::lease_fenced, "renew"),
        1U);
    EXPECT_FALSE(old_owner.host().is_open(scenario.alice));
    for (const auto& [write, answer] : old_owner.store().written())
        EXPECT_TRUE(answer != WriteAnswer::applied || write.fence.token == FenceToken(1));
    ASSERT_TRUE(scenario.run_until_settled());
    for (const auto& tx : scenario.all())
        EXPECT_EQ(tx.fencing_token, lease(scenario)->token);
}

TEST(LaneFence, LaneStopsAtItsLocalDeadlineIfTheDatabaseHangs) {
    for (const auto fault : {StoreFault::hangs, StoreFault::unreachable}) {
        LaneScenario scenario({.lane = {.window = 2, .confirmations_required = 3, .resubmit_interval = 1s}});
        scenario.set_mining(false);
        auto& node = scenario.start("a");
        scenario.accept(scenario.alice, 6);
        ASSERT_TRUE(scenario.run_until([&] { return last_send(scenario, "a").has_value(); }));
        node.store().set_fault(fault);
        const auto expires = lease(scenario)->expires_at;
        scenario.run_for(30s);
        const auto expired_for = scenario.world.unix_now() - expires;
        EXPECT_LT(*last_send(scenario, "a"), scenario.world.now() - expired_for);

        node.store().set_fault(StoreFault::none);
        scenario.set_mining(true);
        ASSERT_TRUE(scenario.run_until_settled()) << "it reopens and continues";
        EXPECT_GE(scenario.telemetry.of(Counter::lease_acquire, "taken_over"), 1U) << "its own, expired";
        scenario.expect_lawful();
    }
}

// It needs a lane, and has no cost.
Intent expires_at_once(LaneScenario& scenario) {
    auto intent = LaneScenario::transfer(1);
    intent.valid_until = scenario.world.unix_now();
    return intent;
}

TEST(LaneFence, SkewAllowanceMovesOnlyTheLocalDeadline) {
    // When the lane stops, and when another node may take the lease, relative to the last renewal.
    const auto run = [](Duration allowance) {
        LaneScenario scenario({.host = {.clock_skew_allowance = allowance}});
        auto& node = scenario.start("a");
        scenario.accept(scenario.alice);
        EXPECT_TRUE(scenario.run_until([&] { return node.host().is_idle(scenario.alice); }));
        scenario.accept(scenario.alice, expires_at_once(scenario));  // so that another node has a reason to take it
        node.store().set_fault(StoreFault::hangs);
        const auto started = scenario.world.now();
        EXPECT_TRUE(scenario.run_until([&] { return !node.host().is_open(scenario.alice); }));
        EXPECT_EQ(scenario.telemetry.of(Counter::lease_fenced, "deadline"), 1U);
        const auto stopped = scenario.world.now() - started;
        scenario.kill(node);
        scenario.start("b");
        EXPECT_TRUE(run_until_owner(scenario, "b"));
        return std::pair(stopped, scenario.world.now() - started);
    };
    const auto [stopped, taken] = run(0s);
    const auto [stopped_early, taken_same] = run(4s);
    EXPECT_NEAR(static_cast<double>((stopped - stopped_early).count()), static_cast<double>(Duration(4s).count()),
                static_cast<double>(Duration(200ms).count()));
    EXPECT_NEAR(static_cast<double>(taken.count()), static_cast<double>(taken_same.count()),
                static_cast<double>(Duration(600ms).count()));
}

TEST(LaneFence, RenewsAllLeasesInOneStatementWithUnchangedTokens) {
    LaneScenario scenario({.lane = {.confirmations_required = 1'000}});
    auto& node = scenario.start("a");
    for (std::uint64_t i = 10; i < 30; ++i) {
        const auto submitter = scenario.signer.submitter(i);
        scenario.network.ledger().fund(*submitter.evm_address(), ether);
        scenario.accept(submitter);
    }
    scenario.run_for(61s);
    EXPECT_EQ(node.host().open_lanes().size(), 20U);
    EXPECT_LE(node.store().renew_calls(), 21U) << "one every three seconds, for all twenty";
    EXPECT_GE(scenario.telemetry.of(Counter::lease_acquire, "renewed"), 300U);
    for (const auto& tx : scenario.all())
        EXPECT_EQ(scenario.submitter(tx.submitter).lease->token, FenceToken(1)) << "through six lease durations";
}

TEST(LaneFence, OneHangingRenewalEndsNoLane) {
    LaneScenario scenario({.lane = {.confirmations_required = 1'000}});
    auto& node = scenario.start("a");
    scenario.accept(scenario.alice, 3);
    scenario.accept(scenario.bob, 3);
    scenario.run_for(4s);
    node.store().hang_next_renewal();
    scenario.run_for(1min);
    EXPECT_EQ(scenario.telemetry.of(Counter::lease_fenced, "deadline"), 0U);
    for (const auto& submitter : {scenario.alice, scenario.bob})
        EXPECT_EQ(scenario.submitter(submitter).lease->token, FenceToken(1));
}

// The lane ends to be reopened, and its release is requested meanwhile.
TEST(LaneFence, ReleasesALeaseWhileItsLaneIsReopening) {
    LaneScenario scenario;
    auto& node = scenario.start("a");
    node.store().throw_at_load(scenario.alice, 1'000'000);
    scenario.accept(scenario.alice);
    scenario.run_for(5s);
    ASSERT_FALSE(is_expired(*lease(scenario), scenario.world.unix_now()));
    node.release();
    ASSERT_TRUE(scenario.run_until([&] { return node.is_released(); }, 2s));
    EXPECT_TRUE(is_expired(*lease(scenario), scenario.world.unix_now()));
}

TEST(LaneFence, ConflictReloadsTheLane) {
    for (std::size_t write = 0; write < 6; ++write) {
        LaneScenario scenario;
        auto& node = scenario.start("a");
        node.store().conflict_at_write(write);
        scenario.accept(scenario.alice, 3);
        ASSERT_TRUE(scenario.run_until_settled()) << write;
        scenario.run_for(1s);
        EXPECT_EQ(scenario.telemetry.of(Counter::lease_acquire, "reopened"), 1U) << write;
        scenario.expect_lawful();
    }
}

TEST(LaneFence, ReleasedLeaseIsTakenOverAtOnceWithoutUnfinishedWork) {
    LaneScenario scenario;
    auto& first = scenario.start("a");
    scenario.accept(scenario.alice, 40);
    scenario.run_for(5s);
    first.release();
    ASSERT_TRUE(scenario.run_until([&] { return first.is_released(); }, 5s)) << scenario.log.text();
    const auto released = scenario.world.now();
    scenario.start("b");
    ASSERT_TRUE(run_until_owner(scenario, "b"));
    EXPECT_LT(scenario.world.now() - released, 1s);
    ASSERT_TRUE(scenario.run_until_settled());
    for (const auto& tx : scenario.all())
        EXPECT_EQ(scenario.times_sent(*tx.hash), 1U) << "what was sent is not sent again";
    scenario.expect_lawful();
}

TEST(LaneFence, StoppedNodeEndsAllItsLanes) {
    for (int i = 0; std::cmp_less(i, seeds(40)); ++i) {
        LaneScenario scenario;
        auto& first = scenario.start("a");
        scenario.accept(scenario.alice, 20);
        scenario.accept(scenario.bob, 20);
        scenario.run_for(i * 97ms);
        first.stop();
        ASSERT_TRUE(scenario.run_until([&] { return first.is_stopped(); }, 1s)) << i;
        scenario.start("b");
        ASSERT_TRUE(scenario.run_until_settled());
        scenario.expect_lawful();
    }
}

TEST(LaneFence, LeaseLossDuringASendAffectsNoOtherLane) {
    LaneScenario scenario({.lane = {.confirmations_required = 3, .resubmit_interval = 5s}});
    scenario.set_mining(false);
    auto& node = scenario.start("a");
    scenario.accept(scenario.alice, 5);
    ASSERT_TRUE(scenario.run_until([&] { return last_send(scenario, "a").has_value(); }));
    // Sends get no answer any more, so one is always in progress; and the database hangs for longer than the lease.
    for (auto* endpoint : {&scenario.one, &scenario.two})
        endpoint->options().faults.sends_lost = 1'000;
    scenario.run_for(6s);
    node.store().set_fault(StoreFault::hangs);
    scenario.run_for(15s);
    node.store().set_fault(StoreFault::none);
    for (auto* endpoint : {&scenario.one, &scenario.two})
        endpoint->options().faults.sends_lost = 0;
    scenario.set_mining(true);
    scenario.accept(scenario.bob, 5);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_FALSE(node.is_stopped());
    scenario.expect_lawful();
}

TEST(LaneFence, LaneThatWaitsForItsChainCanBeReleased) {
    LaneScenario scenario;
    scenario.one.set_down(true);
    scenario.two.set_down(true);
    auto& node = scenario.start("a");
    scenario.accept(scenario.alice);
    scenario.run_for(10s);
    node.release();
    EXPECT_TRUE(scenario.run_until([&] { return node.is_released(); }, 15s));
}

TEST(LaneFence, TwoNodesWithWrongClocksNeverSendConcurrently) {
    LaneScenario scenario;
    auto& first = scenario.start("a");
    auto& second = scenario.start("b");
    first.process().set_clock_skew(1h);
    second.process().set_clock_skew(-1h);
    scenario.accept(scenario.alice, 50);
    scenario.accept(scenario.bob, 50);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_GE(scenario.telemetry.of(Counter::lease_acquire, "not_owner"), 1U);
    scenario.expect_lawful();
}

TEST(LaneFence, CheckerDetectsSendsWithoutALease) {
    LaneScenario scenario({.lane = {.window = 2, .confirmations_required = 3, .resubmit_interval = 2s}});
    scenario.set_mining(false);
    auto believer = scenario.setup;
    believer.host.clock_skew_allowance = -1h;
    auto& old_owner = scenario.start("a", believer);
    old_owner.store().disable_fence(*scenario.store);
    ASSERT_NO_FATAL_FAILURE(pause_and_take_over(scenario, old_owner));
    scenario.world.resume(old_owner.process());
    scenario.run_for(10s);
    EXPECT_FALSE(scenario.sent_without_lease().empty()) << "the check detects a violation";
}

}  // namespace
}  // namespace fencepost::scenario
