// An external transaction at one of our nonces, and reorgs that add or remove it: a settled transaction keeps its
// verdict, and none waits forever.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text/hex.hpp"
#include "support/conditions.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::HasSubstr;

constexpr Position confirmed_forked{State::confirmed, SubState::forked};

// The number of blocks from the account's first transaction up.
std::uint64_t depth_of_first(LaneScenario& scenario) {
    const auto& ledger = scenario.network.ledger();
    return ledger.head().number().above(ledger.executed().front().block->number()) + 1;
}

// A reorg replaces the block with our transaction by one with an external transaction.
SignedTransaction reorg_to_external_tx(LaneScenario& scenario) {
    const auto foreign = scenario.sign_externally(scenario.alice, Nonce(0));
    const auto decoded = *scenario.network.ledger().cache().decode(foreign.raw).decoded;
    scenario.network.reorg(
        {.depth = depth_of_first(scenario), .fate = sim::Reorg::Fate::dropped, .instead = {decoded}});
    return foreign;
}

// A settled transaction that a reorg removed, and whose nonce an external transaction consumed.
struct ExternallyConsumed {
    explicit ExternallyConsumed(LaneScenario& scenario)
        : node(scenario.start("a")),
          tx(scenario.accept(scenario.alice)) {
        EXPECT_TRUE(scenario.run_until_settled());
        foreign = reorg_to_external_tx(scenario);
        EXPECT_TRUE(run_until_protected(scenario)) << scenario.log.text();
    }
    Node& node;
    TxId tx;
    SignedTransaction foreign{};
};

const sim::NetworkOptions final_late{.ledger = {.safe_lag = 20, .finalized_lag = 40}};

TEST(LaneExternalTx, Failure26SettledTransactionKeepsItsVerdictAfterExternalUseOfItsNonce) {
    for (const bool new_owner : {false, true}) {
        SCOPED_TRACE(new_owner);
        LaneScenario scenario({.network = final_late});
        const ExternallyConsumed externally_consumed(scenario);
        const auto tx = externally_consumed.tx;
        const auto name = to_hex_prefixed(externally_consumed.foreign.hash.view());
        EXPECT_EQ(scenario.view(tx).position, confirmed_forked);
        EXPECT_THAT(scenario.submitter(scenario.alice).status.reason, HasSubstr(name));
        EXPECT_TRUE(scenario.log.has(Severity::alert, "The key is used by an external sender"));
        EXPECT_THAT(scenario.history(tx).back().step.detail, HasSubstr(name));
        if (new_owner) {
            scenario.kill(externally_consumed.node);
            scenario.start("b");
        }
        ASSERT_TRUE(
            scenario.run_until([&] { return scenario.log.has(Severity::alert, "can no longer be mined"); }, 3min));
        const auto sent = scenario.times_sent(*scenario.view(tx).hash);
        scenario.run_for(10min);
        EXPECT_EQ(scenario.times_sent(*scenario.view(tx).hash), sent);
        EXPECT_EQ(scenario.view(tx).position, confirmed_forked) << "verdict and flag stay";
        EXPECT_EQ(scenario.get(scenario.store->load(scenario.alice)).value().watch_from, Nonce(1)) << "dropped";
    }
}

TEST(LaneExternalTx, ResendsASettledTransactionWhenAReorgRemovesTheExternalTx) {
    LaneScenario scenario({.network = final_late});
    const ExternallyConsumed externally_consumed(scenario);
    const auto sent = scenario.times_sent(*scenario.view(externally_consumed.tx).hash);
    scenario.run_for(20s);
    EXPECT_EQ(scenario.times_sent(*scenario.view(externally_consumed.tx).hash), sent)
        << "while the external transaction is on the chain";
    scenario.network.reorg({.depth = depth_of_first(scenario), .fate = sim::Reorg::Fate::dropped});
    ASSERT_TRUE(run_until_at(scenario, externally_consumed.tx, {State::confirmed, SubState::none}))
        << scenario.log.text();
    EXPECT_EQ(scenario.submitter(scenario.alice).status.status, SubmitterStatus::protect) << "an operator decides";
    scenario.expect_lawful();
}

// Our transaction lost its nonce to an external one, which a reorg then removed below finality, all while no node ran.
// Returns where the external transaction was.
TxLocation lose_and_regain_unseen(LaneScenario& scenario, TxId* tx) {
    auto& first = scenario.start("a");
    *tx = scenario.accept(scenario.alice);
    EXPECT_TRUE(run_until_at(scenario, *tx, {State::tracking, SubState::mined}));
    reorg_to_external_tx(scenario);
    EXPECT_TRUE(run_until_at(scenario, *tx, {State::stuck, SubState::nonce_taken}));
    const auto block = scenario.network.ledger().executed().front().block->ref();
    scenario.kill(first);
    scenario.network.reorg({.depth = depth_of_first(scenario), .fate = sim::Reorg::Fate::dropped});
    scenario.network.mine(60);
    scenario.run_for(11s);
    return {block.number, block.hash};
}

TEST(LaneExternalTx, NewOwnerResendsWhenTheExternalTxIsGone) {
    LaneScenario scenario({.network = final_late});
    TxId tx;
    lose_and_regain_unseen(scenario, &tx);
    scenario.start("b");
    ASSERT_TRUE(scenario.run_until_settled(2min)) << scenario.log.text();
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    scenario.expect_lawful();
}

// Also with many openings: a check must not restart its waiting time with each one.
TEST(LaneExternalTx, Failure29NewOwnerDetectsATakenNonceAtOnce) {
    LaneScenario scenario({.network = final_late, .lane = {.confirmations_required = 3, .resubmit_interval = 1h}});
    scenario.set_mining(false);
    auto& first = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_at(scenario, tx, {State::tracking, SubState::none}));
    scenario.kill(first);
    ASSERT_TRUE(is_held(scenario.network.inject(scenario.sign_externally(scenario.alice, Nonce(0), 50).raw).outcome));
    scenario.network.mine();
    scenario.run_for(11s);
    scenario.start("b");
    ASSERT_TRUE(scenario.run_until([&] { return scenario.view(tx).position.sub == SubState::nonce_taken; }, 10s));
}

TEST(LaneExternalTx, QueriesAnExternalTxBlockBelowTheViewBeforeTheNonceIsLost) {
    LaneScenario scenario({.network = final_late});
    TxId tx;
    const auto where = lose_and_regain_unseen(scenario, &tx);
    auto& second = scenario.start("b");
    second.chain().answer_next_use({.consumed = true, .by = TxHash{}, .where = where});
    ASSERT_TRUE(scenario.run_until_settled(2min)) << scenario.log.text();
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    scenario.expect_lawful();
}

TEST(LaneExternalTx, NewOwnerConfirmsAnExternalTxBlockBelowItsViewBeforeTheNonceIsLost) {
    LaneScenario scenario({.network = final_late});
    auto& first = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_at(scenario, tx, {State::tracking, SubState::mined}));
    reorg_to_external_tx(scenario);
    ASSERT_TRUE(run_until_at(scenario, tx, {State::stuck, SubState::nonce_taken}));
    scenario.kill(first);
    scenario.network.mine(100);
    scenario.run_for(11s);
    scenario.start("b");
    ASSERT_TRUE(run_until_at(scenario, tx, {State::failed_final, SubState::nonce_taken})) << scenario.log.text();
}

}  // namespace
}  // namespace fencepost::scenario
