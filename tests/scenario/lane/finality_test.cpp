// When a receipt becomes a verdict, and which events and records are written until then.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/conditions.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::ElementsAre;

// Mines one block, and waits until it is seen.
void mine_and_poll(LaneScenario& scenario) {
    scenario.network.mine();
    scenario.run_for(500ms);
}

// The depth of the transaction when it settled.
std::uint64_t depth_when_settled(LaneScenario& scenario) {
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    EXPECT_TRUE(run_until_tracking(scenario, tx));
    scenario.run_for(500ms);
    for (std::uint64_t depth = 0; depth < 50; ++depth) {
        mine_and_poll(scenario);
        if (is_final(scenario.state(tx))) return depth;
    }
    return 1'000;
}

// The stored confirmation list equals the chain above its block.
void expect_kept_confirmations(LaneScenario& scenario, TxId tx, std::size_t count) {
    const auto kept = scenario.get(scenario.store->stored_confirmations(tx)).value();
    ASSERT_EQ(kept.size(), count);
    const auto& ledger = scenario.network.ledger();
    auto number = scenario.view(tx).receipt->block_number;
    for (const auto& block : kept) {
        number = number.plus(1);
        EXPECT_EQ(block, ledger.ancestor(ledger.head(), number)->ref());
    }
}

TEST(LaneFinality, RequiresNBlocksAboveTheInclusion) {
    for (const std::uint64_t required : {0U, 1U, 5U}) {
        LaneScenario scenario({.lane = {.confirmations_required = required}});
        EXPECT_EQ(depth_when_settled(scenario), required);
        expect_kept_confirmations(scenario, scenario.all().at(0).id, required);
    }
}

TEST(LaneFinality, SafeAndFinalizedFollowTheChain) {
    LaneScenario safe({.lane = {.finality = lane::FinalityRule::safe, .confirmations_required = 2}});
    EXPECT_EQ(depth_when_settled(safe), 3U);
    LaneScenario finalized({.lane = {.finality = lane::FinalityRule::finalized, .confirmations_required = 2}});
    EXPECT_EQ(depth_when_settled(finalized), 6U);
}

TEST(LaneFinality, NewOwnerSettlesTransactionsMinedThousandsOfBlocksAgo) {
    for (const auto rule : {lane::FinalityRule::depth, lane::FinalityRule::safe, lane::FinalityRule::finalized}) {
        LaneScenario scenario({.lane = {.finality = rule, .confirmations_required = 3}});
        auto& first = scenario.start("a");
        const auto tx = scenario.accept(scenario.alice);
        ASSERT_TRUE(run_until_tracking(scenario, tx));
        scenario.kill(first);
        scenario.network.mine(3'000);
        scenario.run_for(11s);
        scenario.start("b");
        ASSERT_TRUE(scenario.run_until_settled(2min)) << scenario.log.text();
        expect_kept_confirmations(scenario, tx, 3);
        scenario.expect_lawful();
    }
}

TEST(LaneFinality, NewOwnerWithAViewAboveTheBlockWaitsForAllConfirmations) {
    // More confirmations are required than there are blocks between the head and the finalized block.
    LaneScenario scenario({.lane = {.confirmations_required = 20}});
    auto& first = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.view(tx).receipt.has_value(); }));
    scenario.kill(first);
    scenario.network.mine(9);
    scenario.run_for(1s);
    scenario.set_mining(false);
    scenario.run_for(11s);
    scenario.start("b");
    scenario.run_for(10s);
    EXPECT_FALSE(is_final(scenario.state(tx)));
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled(2min)) << scenario.log.text();
    expect_kept_confirmations(scenario, tx, 20);
}

TEST(LaneFinality, Failure26ResendsASettledTransactionReorgedBelowFinality) {
    LaneScenario scenario({.network = {.ledger = {.safe_lag = 20, .finalized_lag = 40}}});
    scenario.network.mine(30);
    auto& first = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.kill(first);
    scenario.network.reorg({.depth = 15, .fate = sim::Reorg::Fate::dropped});
    scenario.network.mine(300);  // while no node ran
    scenario.run_for(11s);
    const auto next = scenario.accept(scenario.alice);
    scenario.start("b");
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(next) == State::confirmed; })) << scenario.log.text();
    EXPECT_TRUE(scenario.log.has(Severity::alert, "ettled transaction"));
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    scenario.expect_lawful();
}

// Found by a seed: finality had passed the height, and an endpoint that had not seen the reorg still had the block.
TEST(LaneFinality, ReadsABlockBelowTheViewFromTheFollowedBranch) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {  // either endpoint may be queried first
        LaneScenario scenario({.seed = seed, .lane = {.finality = lane::FinalityRule::safe}});
        auto& first = scenario.start("a");
        const auto tx = scenario.accept(scenario.alice);
        ASSERT_TRUE(scenario.run_until([&] { return scenario.view(tx).receipt.has_value(); }));
        scenario.kill(first);
        scenario.set_mining(false);
        const auto lost = scenario.view(tx).receipt->block_hash;
        scenario.network.mine(5);
        scenario.one.freeze();
        scenario.network.reorg({.depth = 6, .fate = sim::Reorg::Fate::dropped});
        scenario.network.mine(4);
        scenario.run_for(11s);
        scenario.start("b");
        scenario.run_for(5s);
        EXPECT_FALSE(is_final(scenario.state(tx)));
        scenario.set_mining(true);
        ASSERT_TRUE(scenario.run_until_settled(2min)) << scenario.log.text();
        EXPECT_NE(scenario.view(tx).receipt->block_hash, lost);
        scenario.expect_lawful();
    }
}

TEST(LaneFinality, FinalizedTransactionsLeaveTheLaneIdle) {
    LaneScenario scenario;
    auto& node = scenario.start("a");
    scenario.accept(scenario.alice, 5);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_FALSE(node.host().is_idle(scenario.alice)) << "settled, and not finalized";
    const auto settled = scenario.get(scenario.store->load(scenario.alice)).value().settled;
    ASSERT_FALSE(settled.empty());
    EXPECT_EQ(settled.front().first, Nonce(0));
    EXPECT_EQ(settled.back().last, Nonce(4));
    scenario.run_for(20s);
    EXPECT_TRUE(node.host().is_idle(scenario.alice));
    const auto state = scenario.get(scenario.store->load(scenario.alice)).value();
    EXPECT_EQ(state.watch_from, Nonce(5));
    EXPECT_TRUE(state.watched.empty() && state.settled.empty());
    EXPECT_TRUE(scenario.get(scenario.store->unfinished_submitters()).value().empty());
}

TEST(LaneFinality, ForkAboveTheBlockReplacesTheListAndIsCounted) {
    LaneScenario scenario({.lane = {.confirmations_required = 5}});
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_tracking(scenario, tx));
    scenario.run_for(500ms);
    for (int i = 0; i < 4; ++i)
        mine_and_poll(scenario);  // its own, and three above
    const auto block = scenario.view(tx).receipt->block_hash;
    scenario.network.reorg({.depth = 2});
    scenario.run_for(1s);
    EXPECT_EQ(scenario.telemetry.of(Counter::confirmations_new_fork), 1U);
    EXPECT_EQ(scenario.view(tx).receipt->block_hash, block) << "its own block stays";
    mine_and_poll(scenario);
    ASSERT_TRUE(scenario.run_until([&] { return is_final(scenario.state(tx)); }, 5s));
    expect_kept_confirmations(scenario, tx, 5);
}

TEST(LaneFinality, VerdictDoesNotDependOnTheFailureReason) {
    for (const std::size_t failures : {3U, 1'000U}) {
        LaneScenario scenario;
        Address contract;
        contract.data.fill(7);
        scenario.network.ledger().add_contract(contract, sim::always_reverts("not today"));
        auto& node = scenario.start("a");
        node.chain().fail_reasons(failures);
        auto call = LaneScenario::call(contract);
        call.gas_limit = Gas(100'000);
        const auto tx = scenario.accept(scenario.alice, call);
        ASSERT_TRUE(scenario.run_until_settled(2min));
        EXPECT_EQ(scenario.state(tx), State::failed_final);
        EXPECT_THAT(scenario.view(tx).error,
                    ::testing::HasSubstr(failures == 3U ? "not today" : "the reason could not be read"));
    }
}

std::vector<std::string> events_of(LaneScenario& scenario, TxId tx) {
    std::vector<std::string> names;
    for (const auto& logged : scenario.events()) {
        if (logged.event.tx != tx) continue;
        names.emplace_back(name_of(logged.event.body));
        EXPECT_EQ(logged.event.sequence.value(), names.size()) << "numbered from 1 without a gap";
    }
    return names;
}

TEST(LaneFinality, PublishesEventsInOrder) {
    LaneScenario scenario;
    scenario.start("a");
    const auto good = scenario.accept(scenario.alice);
    auto no_gas = LaneScenario::transfer(1);
    no_gas.fee = Fees(LegacyFee{Wei(ether)});
    const auto rejected = scenario.accept(scenario.alice, no_gas);
    Address contract;
    contract.data.fill(7);
    scenario.network.ledger().add_contract(contract, sim::always_reverts("no"));
    auto call = LaneScenario::call(contract);
    call.gas_limit = Gas(100'000);
    const auto reverted = scenario.accept(scenario.alice, call);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_THAT(events_of(scenario, good), ElementsAre("TxAccepted", "TxSubmitted", "TxReceiptUpdated", "TxConfirmed"));
    EXPECT_THAT(events_of(scenario, rejected), ElementsAre("TxAccepted", "TxFailed"));
    EXPECT_THAT(events_of(scenario, reverted),
                ElementsAre("TxAccepted", "TxSubmitted", "TxReceiptUpdated", "TxFailed"));
}

TEST(LaneFinality, EveryHistoryStepHasNodeAndToken) {
    LaneScenario scenario;
    auto& first = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.view(tx).receipt.has_value(); }));
    scenario.kill(first);
    scenario.start("b");
    ASSERT_TRUE(scenario.run_until_settled());
    for (const auto& entry : scenario.history(tx)) {
        if (entry.step.kind == HistoryKind::accepted) continue;  // written by the accepting node, without a fence
        const bool by_second = entry.step.kind == HistoryKind::confirmed;
        EXPECT_EQ(entry.node, NodeId(by_second ? "b" : "a")) << name_of(entry.step.kind);
        EXPECT_EQ(entry.token, FenceToken(by_second ? 2 : 1)) << name_of(entry.step.kind);
    }
    EXPECT_THAT(scenario.history_kinds(tx), ElementsAre("accepted", "allocated", "broadcast", "mined", "confirmed"));
}

TEST(LaneFinality, CountsTheRequiredMetrics) {
    LaneScenario scenario;
    auto& first = scenario.start("a");
    scenario.accept(scenario.alice, 3);
    scenario.run_for(1s);
    scenario.start("b");
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.run_for(4s);
    scenario.kill(first);
    scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    const auto& counted = scenario.telemetry;
    EXPECT_EQ(counted.of(Counter::lease_acquire, "inserted"), 1U);
    EXPECT_GE(counted.of(Counter::lease_acquire, "renewed"), 1U);
    EXPECT_GE(counted.of(Counter::lease_acquire, "taken_over"), 1U);
    EXPECT_GE(counted.of(Counter::lease_acquire, "not_owner"), 1U);
    EXPECT_EQ(counted.of(Counter::tx_submit, "success"), 4U);
    EXPECT_EQ(counted.of(Counter::receipt_check, "hit"), 4U);
    EXPECT_EQ(counted.of(Counter::finality, "CONFIRMED"), 4U);
}

}  // namespace
}  // namespace fencepost::scenario
