// Transactions of a shared key: external use never stops the key, no nonce of ours is allocated twice, and each intent
// is executed at most once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/conditions.hpp"
#include "support/shared_key.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::HasSubstr;

constexpr Position at_mined{State::tracking, SubState::mined};

TEST(LaneRelaxed, NonceIsInFlightWhenRecordedAndUsedWhenFinal) {
    LaneScenario scenario(shared_setup());
    scenario.start("a");
    const auto ids = scenario.accept(scenario.alice, 3);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.view(ids[2]).position == at_mined; }));
    EXPECT_EQ(allocations(scenario).in_flight, 3U) << "a mined transaction may be rolled back";
    EXPECT_EQ(allocations(scenario).used, 0U);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(allocations(scenario).used, 3U);
    EXPECT_EQ(allocations(scenario).in_flight, 0U);
    for (std::uint64_t i = 0; i < 3; ++i)
        EXPECT_EQ(scenario.view(ids[i]).nonce, Nonce(i));
    expect_lawful_beside(scenario, nullptr);
}

TEST(LaneRelaxed, BootstrapAcceptsExternalTransactionsInFlight) {
    LaneScenario scenario(shared_setup());
    ExternalSender external_sender(scenario);
    scenario.set_mining(false);
    external_sender.send();
    external_sender.send();
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(tx) == State::tracking; })) << scenario.log.text();
    EXPECT_EQ(scenario.view(tx).nonce, Nonce(2)) << "after the pending external ones";
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    expect_lawful_beside(scenario, external_sender);
}

TEST(LaneRelaxed, ExternalSenderCausesNoDuplicateAndNoStop) {
    auto setup = shared_setup();
    setup.lane.relaxed.nonce_state_timeout = {};
    LaneScenario scenario(setup);
    ExternalSender external_sender(scenario);
    scenario.start("a");
    std::vector<TxId> ids;
    for (std::uint64_t i = 0; i < 8; ++i) {
        ids.push_back(scenario.accept(scenario.alice, LaneScenario::transfer(10 + i)));
        scenario.run_for(3s);
        external_sender.send();
        scenario.run_for(1s);
    }
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    for (const auto id : ids)
        EXPECT_EQ(scenario.state(id), State::confirmed);
    EXPECT_EQ(scenario.submitter(scenario.alice).status.status, SubmitterStatus::active);
    expect_lawful_beside(scenario, external_sender);
}

TEST(LaneRelaxed, ExternallyConsumedNonceFailsOnlyItsTransaction) {
    LaneScenario scenario(shared_setup());
    ExternalSender external_sender(scenario);
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(tx) == State::tracking; }));
    external_sender.replace(*scenario.view(tx).nonce);
    scenario.network.mine();
    ASSERT_TRUE(run_until_at(scenario, tx, at_nonce_taken)) << scenario.log.text();
    EXPECT_EQ(scenario.submitter(scenario.alice).status.status, SubmitterStatus::active);
    const auto next = scenario.accept(scenario.alice, LaneScenario::transfer(2));
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    EXPECT_EQ(scenario.view(tx).position, at_nonce_lost);
    EXPECT_THAT(scenario.view(tx).error, HasSubstr("has used its nonce"));
    EXPECT_EQ(scenario.state(next), State::confirmed);
    EXPECT_EQ(scenario.view(next).nonce, Nonce(1));
    EXPECT_EQ(allocations(scenario).used, 2U) << "the lost nonce is released";
    expect_lawful_beside(scenario, external_sender);
}

TEST(LaneRelaxed, ReorgOfAnExternalTxFreesTheNonceForOurs) {
    LaneScenario scenario(shared_setup());
    ExternalSender external_sender(scenario);
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(tx) == State::tracking; }));
    external_sender.replace(*scenario.view(tx).nonce);
    scenario.network.mine();
    ASSERT_TRUE(run_until_at(scenario, tx, at_nonce_taken)) << scenario.log.text();
    scenario.network.reorg({.depth = 1, .fate = sim::Reorg::Fate::dropped});
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    EXPECT_EQ(scenario.attempts(tx).size(), 1U) << "the same bytes";
    expect_lawful_beside(scenario, external_sender);
}

TEST(LaneRelaxed, ForkReturnsAUsedNonceToInFlight) {
    auto setup = shared_setup();
    setup.network = {.ledger = {.safe_lag = 20, .finalized_lag = 40}};
    LaneScenario scenario(setup);
    scenario.network.mine(30);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(allocations(scenario).used, 1U);
    scenario.set_mining(false);
    scenario.network.reorg({.depth = 10, .fate = sim::Reorg::Fate::dropped});
    ASSERT_TRUE(run_until_at(scenario, tx, {State::confirmed, SubState::forked})) << scenario.log.text();
    EXPECT_EQ(allocations(scenario).used, 0U);
    EXPECT_EQ(allocations(scenario).in_flight, 1U);
    scenario.set_mining(true);
    ASSERT_TRUE(run_until_at(scenario, tx, {State::confirmed, SubState::none})) << scenario.log.text();
    EXPECT_EQ(allocations(scenario).used, 1U);
    expect_lawful_beside(scenario, nullptr);
}

TEST(LaneRelaxed, UsesTheLocalCountWithAWarningIfTheChainIsDown) {
    auto setup = shared_setup();
    setup.lane.relaxed.nonce_state_timeout = {};
    LaneScenario scenario(setup);
    auto& node = scenario.start("a");
    const auto first = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(first) == State::tracking; }));
    node.chain().cut_off(true);
    const auto second = scenario.accept(scenario.alice, LaneScenario::transfer(2));
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    EXPECT_EQ(scenario.view(second).nonce, Nonce(1));
    EXPECT_EQ(scenario.state(second), State::confirmed);
    EXPECT_TRUE(scenario.log.has(Severity::warning, "Chain not reachable"));
    EXPECT_EQ(scenario.telemetry.of(Counter::nonce_reserved, "local"), 1U);
    expect_lawful_beside(scenario, nullptr);
}

TEST(LaneRelaxed, ReconcilerFollowsTheChainAndKeepsTransactionsInFlight) {
    auto setup = shared_setup();
    setup.lane.reconcile_interval = 10s;
    LaneScenario scenario(setup);
    ExternalSender external_sender(scenario);
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(tx) == State::tracking; }));
    external_sender.send();
    scenario.run_for(25s);
    EXPECT_GE(scenario.telemetry.of(Counter::reconcile, "aligned"), 2U);
    EXPECT_TRUE(scenario.log.has(Severity::info, "Nonce state aligned")) << scenario.log.text();
    EXPECT_EQ(allocations(scenario).in_flight, 1U);
    EXPECT_EQ(scenario.submitter(scenario.alice).status.status, SubmitterStatus::active);
    const auto next = scenario.accept(scenario.alice, LaneScenario::transfer(2));
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.view(next).nonce, Nonce(2)) << "1 is used externally";
    expect_lawful_beside(scenario, external_sender);
}

TEST(LaneRelaxed, CommandsWorkAsInStrictMode) {
    LaneScenario scenario(shared_setup());
    scenario.set_mining(false);
    scenario.start("a");
    const auto cancelled = scenario.accept(scenario.alice);
    const auto hurried = scenario.accept(scenario.alice, LaneScenario::transfer(2));
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(hurried) == State::tracking; }));
    scenario.post(CommandKind::cancel, cancelled);
    scenario.post(CommandKind::speed_up, hurried);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.pending_commands().empty(); }));
    scenario.post(CommandKind::pause, scenario.alice);
    ASSERT_TRUE(scenario.run_until(
        [&] { return scenario.submitter(scenario.alice).status.status == SubmitterStatus::paused; }));
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(cancelled), State::cancelled);
    EXPECT_EQ(scenario.state(hurried), State::confirmed);
    EXPECT_EQ(scenario.attempts(hurried).size(), 2U);
    scenario.post(CommandKind::resume, scenario.alice);
    ASSERT_TRUE(scenario.run_until(
        [&] { return scenario.submitter(scenario.alice).status.status == SubmitterStatus::active; }));
    const auto later = scenario.accept(scenario.alice, LaneScenario::transfer(3));
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.view(later).nonce, Nonce(2));
    expect_lawful_beside(scenario, nullptr);
}

TEST(LaneRelaxed, UnprotectWorksDuringExternalUse) {
    LaneScenario scenario(shared_setup());
    ExternalSender external_sender(scenario);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.set_mining(false);
    external_sender.send();
    scenario.post(CommandKind::protect, scenario.alice);
    ASSERT_TRUE(scenario.run_until(
        [&] { return scenario.submitter(scenario.alice).status.status == SubmitterStatus::protect; }));
    scenario.post(CommandKind::unprotect, scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] {
        return scenario.submitter(scenario.alice).status.status == SubmitterStatus::active;
    })) << scenario.log.text();
    scenario.set_mining(true);
    const auto next = scenario.accept(scenario.alice, LaneScenario::transfer(2));
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.view(next).nonce, Nonce(2));
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    expect_lawful_beside(scenario, external_sender);
}

}  // namespace
}  // namespace fencepost::scenario
