// The rarer transitions, each caused on purpose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/conditions.hpp"

namespace fencepost::scenario {
namespace {

using sim::SendFault;

void script_both(LaneScenario& scenario, std::initializer_list<SendFault> faults) {
    scenario.one.script_sends(faults);
    scenario.two.script_sends(faults);
}

bool run_until_taken(LaneScenario& scenario, TxId tx) {
    return scenario.run_until([&] { return scenario.view(tx).position.sub == SubState::nonce_taken; }, 2min);
}

// An external transaction is mined at nonce 0.
void take_nonce_zero(LaneScenario& scenario) {
    ASSERT_TRUE(is_held(scenario.network.inject(scenario.sign_externally(scenario.alice, Nonce(0), 50).raw).outcome));
    scenario.network.mine();
}

TEST(LaneTransitions, FindsResentBytesWithoutAnAnswerInABlock) {
    LaneScenario scenario({.lane = resends_soon});
    scenario.set_mining(false);
    script_both(scenario, {SendFault::lost, SendFault::timed_out_after_arriving});
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_at(scenario, tx, {State::allocated, SubState::stale}));
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(LaneTransitions, ResendsAnEvictedTransaction) {
    LaneScenario scenario({.lane = resends_soon});
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_at(scenario, tx, {State::tracking, SubState::none}));
    scenario.run_for(1s);
    scenario.network.evict(*scenario.view(tx).hash);
    ASSERT_TRUE(run_until_at(scenario, tx, {State::tracking, SubState::stale}));
    ASSERT_TRUE(run_until_at(scenario, tx, {State::tracking, SubState::none})) << "held again";
    script_both(scenario, {SendFault::timed_out_after_arriving});
    ASSERT_TRUE(run_until_at(scenario, tx, {State::tracking, SubState::stale}));
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_GE(scenario.times_sent(*scenario.view(tx).hash), 3U);
    scenario.expect_lawful();
}

TEST(LaneTransitions, ForkedTransactionWithoutAResendAnswerIsFoundOrResent) {
    for (const auto fault : {SendFault::timed_out_after_arriving, SendFault::lost}) {
        LaneScenario scenario({.lane = resends_soon});
        scenario.start("a");
        const auto tx = scenario.accept(scenario.alice);
        ASSERT_TRUE(run_until_at(scenario, tx, {State::tracking, SubState::mined}));
        scenario.set_mining(false);
        script_both(scenario, {fault});
        scenario.network.reorg({.depth = 1, .fate = sim::Reorg::Fate::dropped});
        ASSERT_TRUE(run_until_at(scenario, tx, {State::tracking, SubState::forked}));
        if (fault == SendFault::lost) ASSERT_TRUE(run_until_at(scenario, tx, {State::tracking, SubState::stale}));
        scenario.set_mining(true);
        ASSERT_TRUE(scenario.run_until_settled());
        scenario.expect_lawful();
    }
}

TEST(LaneTransitions, ForkedTransactionIsResentAtOnceAlsoByANewOwner) {
    LaneScenario scenario;
    auto& first = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_at(scenario, tx, {State::tracking, SubState::mined}));
    scenario.set_mining(false);
    script_both(scenario, {SendFault::lost});
    scenario.network.reorg({.depth = 1, .fate = sim::Reorg::Fate::dropped});
    ASSERT_TRUE(run_until_at(scenario, tx, {State::tracking, SubState::forked}));
    scenario.kill(first);
    scenario.run_for(11s);
    const auto sent = scenario.times_sent(*scenario.view(tx).hash);
    scenario.start("b");
    scenario.run_for(5s);
    EXPECT_EQ(scenario.times_sent(*scenario.view(tx).hash), sent + 1) << "not only after the resend interval";
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(LaneTransitions, ReorgIntoAnotherBlockStaysMined) {
    LaneScenario scenario;
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_at(scenario, tx, {State::tracking, SubState::mined}));
    const auto block = scenario.view(tx).receipt->block_hash;
    scenario.network.reorg({.depth = 1, .fate = sim::Reorg::Fate::in_new_branch});
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_NE(scenario.view(tx).receipt->block_hash, block);
    scenario.expect_lawful();
}

TEST(LaneTransitions, KeepsANewReceiptThatArrivesWithTheReorg) {
    LaneScenario scenario;
    auto& node = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_at(scenario, tx, {State::tracking, SubState::mined}));
    // The lane is busy with a commit while both come.
    node.store().delay_writes(1s);
    scenario.accept(scenario.alice);
    node.host().wake(scenario.alice);
    scenario.run_for(300ms);
    scenario.network.reorg({.depth = 1, .fate = sim::Reorg::Fate::in_new_branch});
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(std::ranges::count(scenario.history_kinds(tx), "mined"), 2);
    EXPECT_EQ(std::ranges::count(scenario.history_kinds(tx), "forked"), 0);
    EXPECT_EQ(scenario.times_sent(*scenario.view(tx).hash), 1U);
    scenario.expect_lawful();
}

TEST(LaneTransitions, RemovedSettledRevertIsFlaggedUntilMinedAgain) {
    LaneScenario scenario({.network = {.ledger = {.safe_lag = 20, .finalized_lag = 40}}});
    Address contract;
    contract.data.fill(7);
    scenario.network.ledger().add_contract(contract, sim::always_reverts("no"));
    scenario.network.mine(30);
    scenario.start("a");
    auto call = LaneScenario::call(contract);
    call.gas_limit = Gas(100'000);
    const auto tx = scenario.accept(scenario.alice, call);
    ASSERT_TRUE(run_until_at(scenario, tx, {State::failed_final, SubState::none}));
    scenario.network.reorg({.depth = 10, .fate = sim::Reorg::Fate::dropped});
    ASSERT_TRUE(run_until_at(scenario, tx, {State::failed_final, SubState::forked}));
    ASSERT_TRUE(run_until_at(scenario, tx, {State::failed_final, SubState::none}));
    scenario.expect_lawful();
}

TEST(LaneTransitions, DetectsANonceTakenBeforeTheFirstSend) {
    LaneScenario scenario({.lane = resends_soon});
    auto& node = scenario.start("a");
    node.builder().delay(3s);
    const auto tx = scenario.accept(scenario.alice);
    scenario.run_for(2s);
    take_nonce_zero(scenario);
    ASSERT_TRUE(run_until_taken(scenario, tx));
}

TEST(LaneTransitions, DetectsANonceTakenDuringAnOutage) {
    LaneScenario scenario({.lane = resends_soon});
    script_both(scenario, {SendFault::lost, SendFault::lost});
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_at(scenario, tx, {State::allocated, SubState::stale}));
    take_nonce_zero(scenario);
    ASSERT_TRUE(run_until_taken(scenario, tx));
}

TEST(LaneTransitions, DetectsATakenNonceWhenALaggingEndpointAcceptsOurs) {
    LaneScenario scenario({.lane = resends_soon});
    auto& node = scenario.start("a");
    node.builder().delay(3s);
    // The lagging endpoint sees blocks late and answers fast.
    scenario.two.lag_time(30s);
    scenario.two.options().gossips = false;
    scenario.two.options().latency = {.least = 1ms, .most = 1ms};
    scenario.one.options().latency = {.least = 1ms, .most = 1ms};
    const auto tx = scenario.accept(scenario.alice);
    scenario.run_for(2s);
    const auto foreign = scenario.sign_externally(scenario.alice, Nonce(0), 50);
    std::ignore = scenario.one.receive(scenario.network.ledger().cache().decode(foreign.raw));
    scenario.network.mine();
    ASSERT_TRUE(run_until_taken(scenario, tx));
}

TEST(LaneTransitions, DetectsANonceTakenByAReorgAndItsReversal) {
    LaneScenario scenario({.network = {.ledger = {.safe_lag = 20, .finalized_lag = 40}}});
    auto& node = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_at(scenario, tx, {State::tracking, SubState::mined}));
    auto& cache = scenario.network.ledger().cache();
    const auto foreign = *cache.decode(scenario.sign_externally(scenario.alice, Nonce(0)).raw).decoded;
    scenario.network.reorg({.depth = 1, .fate = sim::Reorg::Fate::dropped, .instead = {foreign}});
    ASSERT_TRUE(run_until_taken(scenario, tx));
    EXPECT_EQ(scenario.submitter(scenario.alice).status.status, SubmitterStatus::protect);
    EXPECT_EQ(scenario.state(tx), State::stuck) << "no verdict before it is final";

    // A reorg replaces the external transaction by ours while the lane is busy with a commit.
    const auto ours = *cache.decode(scenario.get(scenario.store->attempts(tx)).value().at(0).raw).decoded;
    node.store().delay_writes(1s);
    scenario.post(CommandKind::pause, scenario.alice);
    node.host().wake(scenario.alice);
    scenario.run_for(300ms);
    const auto& ledger = scenario.network.ledger();
    const auto depth = ledger.head().number().above(ledger.executed().front().block->number()) + 1;
    scenario.network.reorg({.depth = depth, .fate = sim::Reorg::Fate::dropped, .instead = {ours}});
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    scenario.expect_lawful();
}

TEST(LaneTransitions, TakenNonceReturnsWhenAReorgRemovesTheExternalTx) {
    for (const bool new_owner : {false, true}) {
        LaneScenario scenario({.network = {.ledger = {.safe_lag = 20, .finalized_lag = 40}}});
        auto& first = scenario.start("a");
        const auto tx = scenario.accept(scenario.alice);
        ASSERT_TRUE(run_until_at(scenario, tx, {State::tracking, SubState::mined}));
        const auto& foreign =
            scenario.network.ledger().cache().decode(scenario.sign_externally(scenario.alice, Nonce(0)).raw);
        scenario.network.reorg({.depth = 1, .fate = sim::Reorg::Fate::dropped, .instead = {*foreign.decoded}});
        ASSERT_TRUE(run_until_taken(scenario, tx));
        if (new_owner) {
            scenario.kill(first);
            scenario.start("b");
            scenario.run_for(15s);
        }
        const auto& ledger = scenario.network.ledger();
        const auto depth = ledger.head().number().above(ledger.executed().front().block->number()) + 1;
        scenario.network.reorg({.depth = depth, .fate = sim::Reorg::Fate::dropped});
        ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
        EXPECT_EQ(scenario.state(tx), State::confirmed);
        EXPECT_EQ(scenario.submitter(scenario.alice).status.status, SubmitterStatus::protect) << "an operator decides";
        scenario.expect_lawful();
    }
}

TEST(LaneTransitions, DetectsATakenNonceOfAStaleTransaction) {
    LaneScenario scenario({.lane = resends_soon});
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_at(scenario, tx, {State::tracking, SubState::none}));
    scenario.run_for(1s);
    take_nonce_zero(scenario);  // a higher tip: it replaces ours
    ASSERT_TRUE(run_until_taken(scenario, tx));
}

}  // namespace
}  // namespace fencepost::scenario
