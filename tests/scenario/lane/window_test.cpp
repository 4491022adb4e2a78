// How many nonces are in flight, and where they come from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/lane_scenario.hpp"

namespace fencepost::scenario {
namespace {

std::size_t in_flight(LaneScenario& scenario, const SubmitterId& submitter) {
    return static_cast<std::size_t>(std::ranges::count_if(scenario.all(), [&](const TxView& tx) {
        return tx.submitter == submitter && tx.nonce && !tx.receipt && !is_final(tx.position.state);
    }));
}

// The most that was in flight at any moment until all is settled.
std::size_t most_in_flight(LaneScenario& scenario) {
    std::size_t most = 0;
    EXPECT_TRUE(scenario.run_until([&] {
        most = std::max(most, in_flight(scenario, scenario.alice));
        return std::ranges::all_of(scenario.all(), [](const auto& tx) { return is_final(tx.position.state); });
    }));
    return most;
}

TEST(LaneWindow, WindowOfOneWaitsForTheLastNonceOfTheLane) {
    LaneScenario scenario({.lane = {.window = 1, .confirmations_required = 3}});
    scenario.start("a");
    scenario.accept(scenario.alice, 5);
    EXPECT_EQ(most_in_flight(scenario), 1U);
    scenario.expect_lawful();
}

TEST(LaneWindow, KeepsInFlightWithinTheWindow) {
    LaneScenario scenario({.lane = {.window = 16, .confirmations_required = 3}});
    scenario.start("a");
    scenario.accept(scenario.alice, 60);
    EXPECT_EQ(most_in_flight(scenario), 16U);
    scenario.expect_lawful();
}

TEST(LaneWindow, AllocatesNothingWhileAReorgExceedsTheWindow) {
    LaneScenario scenario({.network = {.ledger = {.safe_lag = 20, .finalized_lag = 40}},
                           .lane = {.window = 4, .confirmations_required = 10}});
    scenario.start("a");
    scenario.accept(scenario.alice, 12);
    const auto mined = [&] {
        return std::ranges::count_if(scenario.all(), [](const auto& tx) { return tx.receipt.has_value(); });
    };
    ASSERT_TRUE(scenario.run_until([&] { return mined() == 8 && in_flight(scenario, scenario.alice) == 4; }));
    scenario.set_mining(false);
    scenario.network.reorg({.depth = 2, .fate = sim::Reorg::Fate::dropped});
    ASSERT_TRUE(scenario.run_until([&] { return in_flight(scenario, scenario.alice) > 4; }, 1min));
    const auto allocated = scenario.submitter(scenario.alice).next_nonce;
    scenario.accept(scenario.alice, 4);
    scenario.run_for(5s);
    EXPECT_EQ(scenario.submitter(scenario.alice).next_nonce, allocated);
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(LaneWindow, NextNonceNeverComesFromTheChain) {
    LaneScenario scenario;
    auto& first = scenario.start("a");
    scenario.accept(scenario.alice, 2);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.kill(first);
    scenario.run_for(11s);
    // External use of the key. A lane that took max(chain, database) would continue above it, unnoticed.
    scenario.network.inject(scenario.sign_externally(scenario.alice, Nonce(2)).raw);
    const auto tx = scenario.accept(scenario.alice);
    scenario.start("b");
    scenario.run_for(30s);
    EXPECT_EQ(scenario.submitter(scenario.alice).next_nonce, Nonce(2));
    EXPECT_EQ(scenario.state(tx), State::queued);
    EXPECT_EQ(scenario.submitter(scenario.alice).status.status, SubmitterStatus::protect);
}

TEST(LaneWindow, Failure12StuckKeyDoesNotBlockOtherKeys) {
    LaneScenario scenario({.lane = {.window = 16, .confirmations_required = 3}});
    scenario.start("a");
    for (std::size_t i = 0; i < 100; ++i) {
        auto cheap = LaneScenario::transfer(1);
        cheap.fee = Fees(DynamicFee{Wei(Uint256(1'000)), Wei(Uint256(1'000))});  // below the base fee: never mined
        scenario.accept(scenario.alice, cheap);
    }
    scenario.run_for(10s);
    const auto ids = scenario.accept(scenario.bob, 50);
    const auto is_done = [&](TxId id) { return scenario.state(id) == State::confirmed; };
    ASSERT_TRUE(scenario.run_until([&] { return std::ranges::all_of(ids, is_done); }, 1min));
    EXPECT_EQ(in_flight(scenario, scenario.alice), 16U);
}

TEST(LaneWindow, Failure13InvalidIntentDoesNotAffectOthers) {
    LaneScenario scenario;
    scenario.start("a");
    auto bad = LaneScenario::transfer(1);
    bad.to = "not an address";
    const auto first = scenario.accept(scenario.alice);
    const auto rejected = scenario.accept(scenario.alice, bad);
    const auto last = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(first), State::confirmed);
    EXPECT_EQ(scenario.state(rejected), State::rejected);
    EXPECT_EQ(scenario.state(last), State::confirmed);
    scenario.expect_lawful();
}

TEST(LaneWindow, Failure14AddressesInMixedCaseAreOneLane) {
    LaneScenario scenario;
    auto& node = scenario.start("a");
    auto shouted = scenario.alice.to_display();
    const auto again = SubmitterId::parse(shouted);
    ASSERT_TRUE(again.has_value());
    ASSERT_NE(shouted, scenario.alice.to_string());
    scenario.accept(scenario.alice);
    scenario.accept(*again);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(node.host().open_lanes().size(), 1U);
    scenario.expect_lawful();
}

TEST(LaneWindow, SingleTransactionStartsAtOnce) {
    LaneScenario scenario;
    auto& node = scenario.start("a");
    scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    const auto tx = scenario.accept(scenario.alice);
    const auto accepted = scenario.world.now();
    node.host().wake(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    const auto& entries = scenario.network.record().entries();
    const auto hash = *scenario.view(tx).hash;
    const auto sent = std::ranges::find_if(entries, [&](const auto& entry) { return entry.transaction.hash == hash; });
    ASSERT_NE(sent, entries.end());
    // At most three chain queries (price, gas, balance), of 20 ms each.
    EXPECT_LE(sent->left_at - accepted, 60ms);
}

TEST(LaneWindow, ConcurrentWritesOfTwoSubmittersShareACommit) {
    LaneScenario scenario;
    auto& node = scenario.start("a");
    scenario.accept(scenario.alice, 30);
    scenario.accept(scenario.bob, 30);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_LT(node.store().commits(), node.store().written().size());
}

}  // namespace
}  // namespace fencepost::scenario
