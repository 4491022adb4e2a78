// Released nonces of a shared key, with crashes: an unsent nonce is reused, one that may have been sent is not, and no
// gap blocks a transaction forever.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/conditions.hpp"
#include "support/shared_key.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::HasSubstr;

constexpr Position at_failed{State::failed_final, SubState::none};

// Below the intrinsic gas of a transfer: every node refuses it.
Intent hopeless(std::uint64_t value) {
    auto intent = LaneScenario::transfer(value);
    intent.gas_limit = Gas(20'000);
    return intent;
}

TEST(LaneRecycle, PermanentRefusalFailsAtOnceAndReusesTheNonce) {
    LaneScenario scenario(shared_setup());
    scenario.start("a");
    const auto refused = scenario.accept(scenario.alice, hopeless(1));
    ASSERT_TRUE(run_until_at(scenario, refused, at_failed)) << scenario.log.text();
    EXPECT_THAT(scenario.view(refused).error, HasSubstr("intrinsic_gas"));
    EXPECT_EQ(scenario.attempts(refused).size(), 1U) << "no filler";
    EXPECT_EQ(allocations(scenario).recyclable, 1U);
    const auto next = scenario.accept(scenario.alice, LaneScenario::transfer(2));
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(next), State::confirmed);
    EXPECT_EQ(scenario.view(next).nonce, scenario.view(refused).nonce);
    EXPECT_EQ(allocations(scenario).used, 1U);
    expect_lawful_beside(scenario, nullptr);
}

TEST(LaneRecycle, RefusedNonceBelowOthersGetsAGapFiller) {
    LaneScenario scenario(shared_setup());
    scenario.start("a");
    const auto refused = scenario.accept(scenario.alice, hopeless(1));
    const auto above = scenario.accept(scenario.alice, LaneScenario::transfer(2));
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    EXPECT_EQ(scenario.view(refused).position, at_failed);
    EXPECT_EQ(scenario.attempts(refused).back().kind, AttemptKind::filler);
    EXPECT_EQ(scenario.state(above), State::confirmed);
    EXPECT_EQ(scenario.view(above).nonce, Nonce(1));
    EXPECT_EQ(allocations(scenario).used, 2U);
    expect_lawful_beside(scenario, nullptr);
}

// A released nonce becomes a gap: an external transaction is pending at it, the lane skips it, and that transaction is
// evicted.
struct GapFixture {
    explicit GapFixture(LaneScenario& scenario) : external_sender(scenario) {
        scenario.start("a");
        const auto refused = scenario.accept(scenario.alice, hopeless(1));
        EXPECT_TRUE(run_until_at(scenario, refused, at_failed)) << scenario.log.text();
        scenario.set_mining(false);
        const auto external = external_sender.send();
        above = scenario.accept(scenario.alice, LaneScenario::transfer(2));
        EXPECT_TRUE(run_until_at(scenario, above, {State::tracking, SubState::none})) << scenario.log.text();
        EXPECT_EQ(scenario.view(above).nonce, Nonce(1));
        EXPECT_TRUE(scenario.network.evict(external));
        scenario.set_mining(true);
    }
    ExternalSender external_sender;
    TxId above;
};

TEST(LaneRecycle, FillsAGapWithoutNewIntents) {
    LaneScenario scenario(shared_setup());
    const GapFixture gap(scenario);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(gap.above) == State::confirmed; }, 5min))
        << scenario.log.text();
    ASSERT_TRUE(scenario.run_until_settled());
    ASSERT_EQ(scenario.all().size(), 3U) << "a no-op";
    EXPECT_EQ(scenario.network.ledger().executed().size(), 2U);
    scenario.run_for(3min);
    EXPECT_EQ(scenario.all().size(), 3U) << "once";
    expect_lawful_beside(scenario, gap.external_sender);
}

TEST(LaneRecycle, NewIntentUsesTheGapInTime) {
    LaneScenario scenario(shared_setup());
    const GapFixture gap(scenario);
    scenario.run_for(40s);  // seen once
    const auto next = scenario.accept(scenario.alice, LaneScenario::transfer(3));
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    EXPECT_EQ(scenario.view(next).nonce, Nonce(0));
    EXPECT_EQ(scenario.state(gap.above), State::confirmed);
    EXPECT_EQ(scenario.all().size(), 3U);
    expect_lawful_beside(scenario, gap.external_sender);
}

// Found by the simulator: the window waits for the gap, and the transaction that could fill it waits for the window.
TEST(LaneRecycle, QueuedIntentFillsAGapBelowAFullWindow) {
    auto setup = shared_setup();
    setup.lane.window = 1;
    LaneScenario scenario(setup);
    const GapFixture gap(scenario);
    const auto next = scenario.accept(scenario.alice, LaneScenario::transfer(3));
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    EXPECT_EQ(scenario.view(next).nonce, Nonce(0));
    EXPECT_EQ(scenario.state(next), State::confirmed);
    EXPECT_EQ(scenario.state(gap.above), State::confirmed);
    EXPECT_EQ(scenario.all().size(), 3U);
    expect_lawful_beside(scenario, gap.external_sender);
}

TEST(LaneRecycle, FillsAGapBelowAFullWindowWithoutQueuedIntents) {
    auto setup = shared_setup();
    setup.lane.window = 1;
    LaneScenario scenario(setup);
    const GapFixture gap(scenario);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(gap.above) == State::confirmed; }, 5min))
        << scenario.log.text();
    expect_lawful_beside(scenario, gap.external_sender);
}

// Found by the simulator (seeds 407, 472 and 487): a revert is evaluated only with nothing in flight; here those in
// flight wait for the gap, and the gap for the head of the queue.
TEST(LaneRecycle, IntentForAGapDoesNotWaitForHigherNonces) {
    LaneScenario scenario(shared_setup());
    Address contract;
    contract.data.fill(7);
    scenario.network.ledger().add_contract(contract, sim::always_reverts("no"));
    const GapFixture gap(scenario);
    const auto reverts = scenario.accept(scenario.alice, LaneScenario::call(contract));
    const auto next = scenario.accept(scenario.alice, LaneScenario::transfer(3));
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    EXPECT_EQ(scenario.state(reverts), State::rejected);
    EXPECT_FALSE(scenario.view(reverts).nonce);
    EXPECT_EQ(scenario.view(next).nonce, Nonce(0));
    EXPECT_EQ(scenario.state(next), State::confirmed);
    EXPECT_EQ(scenario.state(gap.above), State::confirmed);
    expect_lawful_beside(scenario, gap.external_sender);
}

TEST(LaneRecycle, FillsANonceThatASilentEndpointMayHold) {
    LaneScenario scenario(shared_setup());
    scenario.two.script_sends({sim::SendFault::lost});
    scenario.start("a");
    const auto refused = scenario.accept(scenario.alice, hopeless(1));
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    EXPECT_EQ(scenario.view(refused).position, at_failed);
    EXPECT_EQ(scenario.attempts(refused).size(), 2U) << "a filler";
    EXPECT_EQ(allocations(scenario).recyclable, 0U);
    EXPECT_EQ(allocations(scenario).used, 1U);
    expect_lawful_beside(scenario, nullptr);
}

TEST(LaneRecycle, FillsANonceThatAnotherNodeMayHaveSent) {
    LaneScenario scenario(shared_setup());
    auto& first = scenario.start("a");
    const auto refused = scenario.accept(scenario.alice, hopeless(1));
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(refused) == State::allocated; }));
    scenario.kill(first);
    scenario.run_for(11s);
    scenario.start("b");
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    EXPECT_EQ(scenario.view(refused).position, at_failed);
    EXPECT_EQ(scenario.attempts(refused).size(), 2U) << "a filler";
    expect_lawful_beside(scenario, nullptr);
}

TEST(LaneRecycle, ReleasedNonceConsumedExternallyIsNotReused) {
    LaneScenario scenario(shared_setup());
    ExternalSender external_sender(scenario);
    scenario.start("a");
    const auto refused = scenario.accept(scenario.alice, hopeless(1));
    ASSERT_TRUE(run_until_at(scenario, refused, at_failed)) << scenario.log.text();
    external_sender.send();
    scenario.run_for(5s);
    const auto next = scenario.accept(scenario.alice, LaneScenario::transfer(2));
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    EXPECT_EQ(scenario.state(next), State::confirmed);
    EXPECT_EQ(scenario.view(next).nonce, Nonce(1));
    scenario.network.mine(100);
    scenario.run_for(5s);
    const auto last = scenario.accept(scenario.alice, LaneScenario::transfer(3));
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    EXPECT_EQ(scenario.view(last).nonce, Nonce(2));
    EXPECT_EQ(allocations(scenario).recyclable, 0U) << "final, and so retired";
    expect_lawful_beside(scenario, external_sender);
}

// Found by the simulator: marked used by the latest count, the nonce would stay unused forever after the reorg.
TEST(LaneRecycle, ReleasedNonceFreedByAReorgIsReused) {
    LaneScenario scenario(shared_setup());
    ExternalSender external_sender(scenario);
    scenario.start("a");
    const auto refused = scenario.accept(scenario.alice, hopeless(1));
    ASSERT_TRUE(run_until_at(scenario, refused, at_failed)) << scenario.log.text();
    scenario.set_mining(false);
    external_sender.send();
    scenario.network.mine();
    scenario.run_for(5s);
    const auto above = scenario.accept(scenario.alice, LaneScenario::transfer(2));
    ASSERT_TRUE(run_until_at(scenario, above, {State::tracking, SubState::none})) << scenario.log.text();
    EXPECT_EQ(scenario.view(above).nonce, Nonce(1));
    scenario.network.reorg({.depth = 1, .fate = sim::Reorg::Fate::dropped});
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(above) == State::confirmed; }, 5min))
        << scenario.log.text();
    expect_lawful_beside(scenario, external_sender);
}

TEST(LaneRecycle, NonceUnusedByABuilderGoesToTheNext) {
    LaneScenario scenario(shared_setup());
    auto& node = scenario.start("a");
    node.builder().fail([](const Intent& intent) -> std::optional<lane::BuildError> {
        if (intent.value != Wei(1)) return std::nullopt;
        return lane::BuildError{.what = "never", .permanent = true};
    });
    const auto rejected = scenario.accept(scenario.alice, LaneScenario::transfer(1));
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(rejected) == State::rejected; }));
    EXPECT_EQ(allocations(scenario).recyclable, 1U);
    EXPECT_EQ(allocations(scenario).reserved, 0U);
    const auto next = scenario.accept(scenario.alice, LaneScenario::transfer(2));
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.view(next).nonce, Nonce(0));
    expect_lawful_beside(scenario, nullptr);
}

TEST(LaneRecycle, WaitsForALockedRowAndReopensAfterALostAnswer) {
    LaneScenario scenario(shared_setup());
    auto& node = scenario.start("a");
    node.nonces().answer_busy(3);
    node.nonces().lose_answer_of_reservation(1);
    const auto ids = scenario.accept(scenario.alice, 3);
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    std::set<Nonce> nonces;
    for (const auto id : ids) {
        EXPECT_EQ(scenario.state(id), State::confirmed);
        nonces.insert(*scenario.view(id).nonce);
    }
    EXPECT_EQ(nonces, (std::set{Nonce(0), Nonce(1), Nonce(2)})) << "what was reserved and never signed is used again";
    EXPECT_GE(scenario.telemetry.of(Counter::lease_acquire, "reopened"), 1U);
    expect_lawful_beside(scenario, nullptr);
}

// External sends before and between our own, of which one is refused.
void run_short_workload(LaneScenario& scenario, ExternalSender& external_sender) {
    external_sender.send();
    scenario.accept(scenario.alice, LaneScenario::transfer(1));
    scenario.accept(scenario.alice, hopeless(2));
    scenario.accept(scenario.alice, LaneScenario::transfer(3));
}

TEST(LaneRecycle, Failure01And02CrashWithASharedKeyLeavesNoGapAndNoDuplicate) {
    std::size_t points = 0;
    {
        LaneScenario scenario(shared_setup());
        ExternalSender external_sender(scenario);
        scenario.start("a");
        run_short_workload(scenario, external_sender);
        ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
        points = scenario.points.passed().size();
    }
    ASSERT_GT(points, 10U);
    for (std::size_t point = 0; point < points; ++point) {
        LaneScenario scenario(shared_setup());
        ExternalSender external_sender(scenario);
        auto& first = scenario.start("a");
        scenario.points.crash_at(point, [&] { scenario.kill(first); });
        run_short_workload(scenario, external_sender);
        ASSERT_TRUE(scenario.run_until([&] { return !first.process().is_alive(); }));
        SCOPED_TRACE("dies at " + scenario.points.passed().at(point) + ", point " + std::to_string(point));
        scenario.start("b");
        ASSERT_TRUE(scenario.run_until_settled(15min)) << scenario.log.text();
        for (const auto& tx : scenario.all()) {
            const bool refused = tx.intent.gas_limit == Gas(20'000);
            EXPECT_EQ(tx.position.state, refused ? State::failed_final : State::confirmed);
        }
        EXPECT_EQ(allocations(scenario).in_flight, 0U);
        expect_lawful_beside(scenario, external_sender);
        if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace fencepost::scenario
