// What each kind of endpoint does with transactions, what it shows of them, and what a node can conclude from that.
#include "sim/chain/endpoint_kinds.hpp"

#include <gtest/gtest.h>

#include "sim/chain/test_scenario.hpp"

namespace fencepost::sim {
namespace {

using namespace test;
using namespace std::chrono_literals;

/// One endpoint, and a node that sends to it.
struct OneEndpoint {
    explicit OneEndpoint(EndpointOptions options)
        : endpoint(network.add_endpoint(std::move(options))),
          node(world.start_node("node")),
          chain(node, network) {
        for (const auto& account : {alice, bob, carol})
            network.ledger().fund(*account.evm_address(), ether);
    }

    SimTxPtr tx(const SubmitterId& from, const TxFields& fields) {
        return *network.ledger().cache().decode(signer.sign_now(unsigned_of(from, fields)).raw).decoded;
    }
    SimTxPtr alices(std::uint64_t nonce, const Fees& fees = fee_of(10, 2)) {
        return tx(alice, {.nonce = nonce, .fees = fees});
    }

    template <typename T>
    T run(Task<T> task) {
        std::optional<T> result;
        world.spawn(node, keep_result(std::move(task), &result));
        for (int i = 0; i < 100'000 && !result; ++i)
            world.run_for(1ms);
        EXPECT_TRUE(result.has_value()) << "the task did not end";
        return *std::move(result);
    }
    SendReport::Answer send(const SimTxPtr& transaction, const SubmitterId& from) {
        auto batch = batch_of(from, {transaction->raw}, transaction->nonce.value());
        return run(chain.send(std::move(batch))).at(0).answers.at(0);
    }
    SendReport::Answer send(const SimTxPtr& transaction) { return send(transaction, alice); }
    /// Bypasses the node's send queue and its time-out. The result is set when the verdicts arrive.
    std::shared_ptr<std::optional<std::vector<Verdict>>> transmit(const std::vector<SimTxPtr>& transactions) {
        std::vector<WireTx> wires;
        for (const auto& transaction : transactions)
            wires.push_back(network.ledger().cache().decode(transaction->raw));
        auto answer = std::make_shared<std::optional<std::vector<Verdict>>>();
        network.transmit("node", endpoint, std::move(wires),
                         [answer](std::vector<Verdict> verdicts) { *answer = std::move(verdicts); });
        return answer;
    }
    PoolView look(const std::vector<SimTxPtr>& transactions) {
        std::vector<PoolQuery> questions;
        for (const auto& transaction : transactions)
            questions.push_back({transaction->nonce, {transaction->hash}});
        return run(chain.query_pools(alice, std::move(questions))).value().at(0);
    }
    std::vector<Presence> presence(const std::vector<SimTxPtr>& transactions) { return look(transactions).presence; }
    Nonce count(At at) { return run(chain.transaction_count(alice, at)).value(); }
    bool is_found(const SimTxPtr& transaction) { return run(chain.find(transaction->hash)).value().has_value(); }
    bool is_mined(const SimTxPtr& transaction) {
        return network.ledger().executed(network.ledger().head(), transaction->hash).has_value();
    }

    World world{1};
    SimNetwork network{world};
    SimSigner signer{network.ledger().options().chain_id, 1, &network.ledger().cache()};
    SubmitterId alice = signer.submitter(0);
    SubmitterId bob = signer.submitter(1);
    SubmitterId carol = signer.submitter(2);
    SimEndpoint& endpoint;
    SimNode& node;
    SimChain chain;
};

using Presences = std::vector<Presence>;
constexpr MempoolOptions two_slots{.global_slots = 1, .global_queue = 1};

TEST(PlainEndpoint, PendingCountLagsUntilPromotion) {
    OneEndpoint w({.name = "geth", .promotion_delay = 100ms});
    const auto transaction = w.alices(0);
    EXPECT_EQ(w.send(transaction).outcome, SendOutcome::accepted);
    EXPECT_TRUE(w.is_found(transaction));
    EXPECT_EQ(w.count(At::pending), Nonce(0));
    w.network.mine();
    EXPECT_FALSE(w.is_mined(transaction)) << "a miner takes pending transactions only";
    w.world.run_for(100ms);
    EXPECT_EQ(w.count(At::pending), Nonce(1));
    w.network.mine();
    EXPECT_TRUE(w.is_mined(transaction));
}

TEST(PoolLook, ReportsAbsentOnlyForEndpointsThatShowedATransaction) {
    OneEndpoint w({.name = "geth"});
    const auto first = w.alices(0);
    const auto second = w.alices(1);
    EXPECT_EQ(w.presence({first}), Presences{Presence::unknown}) << "the endpoint may hide its pool";
    w.send(first);
    EXPECT_EQ(w.presence({first, second}), (Presences{Presence::held, Presence::absent}));
    w.network.evict(first->hash);
    EXPECT_EQ(w.presence({first}), Presences{Presence::absent});
}

TEST(PoolLook, ReportsMinedTransactionsAsHeld) {
    OneEndpoint w(send_only_relay("relay"));
    const auto transaction = w.alices(0);
    w.send(transaction);
    w.network.mine();
    const auto view = w.look({transaction, w.alices(1)});
    EXPECT_EQ(view.presence, (Presences{Presence::held, Presence::unknown}));
    EXPECT_EQ(view.mined, Nonce(1));
}

TEST(PoolLook, AcceptsAnyAttemptHashOfANonce) {
    OneEndpoint w({.name = "geth"});
    const auto bump = w.alices(0, fee_of(20, 4));
    w.send(bump);
    std::vector<PoolQuery> questions{{Nonce(0), {w.alices(0)->hash, bump->hash}}};
    const auto views = w.run(w.chain.query_pools(w.alice, std::move(questions))).value();
    EXPECT_EQ(views.at(0).presence, Presences{Presence::held});
}

TEST(SendOnlyRelay, HidesItsPoolAndItsSendsAreMined) {
    OneEndpoint w(send_only_relay("relay"));
    const auto transaction = w.alices(0);
    EXPECT_EQ(w.send(transaction).outcome, SendOutcome::accepted);
    EXPECT_FALSE(w.is_found(transaction));
    EXPECT_EQ(w.count(At::pending), Nonce(0));
    EXPECT_FALSE(w.run(w.chain.pending_at(w.alice, Nonce(0))).value());
    EXPECT_EQ(w.presence({transaction}), Presences{Presence::unknown});
    w.network.evict(transaction->hash);
    EXPECT_EQ(w.presence({transaction}), Presences{Presence::unknown});
    EXPECT_EQ(w.send(transaction).outcome, SendOutcome::accepted);
    w.network.mine();
    EXPECT_TRUE(w.is_mined(transaction));
}

TEST(OpReplica, ForwardsToASequencerThatNoNodeReads) {
    OneEndpoint w(op_replica("replica"));
    auto& sequencer = w.network.add_sequencer();
    const auto transaction = w.alices(0);
    EXPECT_EQ(w.send(transaction).outcome, SendOutcome::accepted);
    EXPECT_TRUE(sequencer.pool().find(transaction->hash));
    EXPECT_FALSE(w.is_found(transaction));
    EXPECT_EQ(w.count(At::pending), Nonce(0));
    EXPECT_EQ(w.presence({transaction}), Presences{Presence::unknown});
    w.network.mine();
    EXPECT_TRUE(w.is_mined(transaction));
}

TEST(OpReplica, ReturnsTheSequencersRefusal) {
    OneEndpoint w(op_replica("replica", PoolDisplay::shows));
    w.network.add_sequencer({.name = "sequencer", .pool = {.minimum_tip = Wei(3 * gwei)}});
    const auto transaction = w.alices(0);
    EXPECT_EQ(w.send(transaction).outcome, SendOutcome::price_floor);
    EXPECT_FALSE(w.is_found(transaction));
}

TEST(OpReplica, ShowsAPoolUnrelatedToTheSequencers) {
    OneEndpoint w(op_replica("replica", PoolDisplay::shows));
    auto& sequencer = w.network.add_sequencer();
    const auto transaction = w.alices(0);
    w.send(transaction);
    EXPECT_TRUE(sequencer.pool().evict(transaction->hash));
    EXPECT_EQ(w.presence({transaction}), Presences{Presence::held});
    w.network.mine();
    EXPECT_FALSE(w.is_mined(transaction)) << "no miner uses the replica's pool";
}

TEST(ArbitrumLike, AnswersASendAfterItsBlock) {
    OneEndpoint w(arbitrum_like("arbitrum"));
    const auto answer = w.transmit({w.alices(0)});
    w.world.run_for(2s);
    EXPECT_FALSE(answer->has_value());
    EXPECT_EQ(w.count(At::pending), Nonce(0));
    w.network.mine();
    w.world.run_for(20ms);
    ASSERT_TRUE(answer->has_value());
    EXPECT_EQ(answer->value().at(0).outcome, SendOutcome::accepted);
}

TEST(ArbitrumLike, HandlesOneTransactionOfABatchPerBlock) {
    OneEndpoint w(arbitrum_like("arbitrum"));
    const auto answer = w.transmit({w.alices(0), w.alices(1)});
    w.world.run_for(20ms);
    w.network.mine();
    w.world.run_for(20ms);
    EXPECT_EQ(w.count(At::latest), Nonce(1));
    EXPECT_FALSE(answer->has_value());
    w.network.mine();
    w.world.run_for(20ms);
    ASSERT_TRUE(answer->has_value());
    EXPECT_EQ(answer->value().at(1).outcome, SendOutcome::accepted);
}

TEST(ArbitrumLike, WaitsForAGapAndThenRefuses) {
    OneEndpoint w(arbitrum_like("arbitrum"));
    const auto lucky = w.transmit({w.alices(1)});
    const auto unlucky = w.transmit({w.alices(3)});
    w.world.run_for(500ms);
    const auto first = w.transmit({w.alices(0)});
    w.world.run_for(20ms);
    w.network.mine();
    w.world.run_for(1s);
    ASSERT_TRUE(lucky->has_value());
    EXPECT_EQ(lucky->value().at(0).outcome, SendOutcome::accepted);
    ASSERT_TRUE(unlucky->has_value());
    EXPECT_EQ(unlucky->value().at(0).outcome, SendOutcome::nonce_too_high);
    w.transmit({w.alices(2)});
    w.world.run_for(20ms);
    w.network.mine();
    EXPECT_EQ(w.count(At::latest), Nonce(3)) << "the refused transaction is gone";
}

TEST(ArbitrumLike, RefusesASecondSendAsNonceTooLow) {
    OneEndpoint w(arbitrum_like("arbitrum"));
    w.transmit({w.alices(0)});
    w.world.run_for(50ms);
    const auto again = w.transmit({w.alices(0)});
    w.world.run_for(50ms);
    w.network.mine();
    w.world.run_for(50ms);
    ASSERT_TRUE(again->has_value());
    EXPECT_EQ(again->value().at(0).outcome, SendOutcome::nonce_too_low);
}

TEST(ArbitrumLike, RefusesAFeeBelowTheBaseFeeAtOnce) {
    OneEndpoint w(arbitrum_like("arbitrum"));
    w.network.ledger().set_next_base_fee(Wei(11 * gwei));
    EXPECT_EQ(w.send(w.alices(0)).outcome, SendOutcome::fee_below_base_fee);
}

TEST(NethermindLike, FindsDroppedTransactionsByHash) {
    OneEndpoint w(nethermind_like("nethermind"));
    const auto transaction = w.alices(0);
    w.send(transaction);
    w.network.evict(transaction->hash);
    EXPECT_TRUE(w.is_found(transaction));
    EXPECT_EQ(w.presence({transaction}), Presences{Presence::unknown});
    EXPECT_EQ(w.count(At::pending), Nonce(0)) << "the count does not include it";
    w.network.mine();
    EXPECT_FALSE(w.is_mined(transaction));
}

TEST(ErigonLike, PendingCountSkipsGaps) {
    OneEndpoint w(erigon_like("erigon"));
    const auto first = w.alices(0);
    const auto third = w.alices(2);
    w.send(first);
    w.send(third);
    EXPECT_EQ(w.count(At::pending), Nonce(3));
    EXPECT_EQ(w.presence({first, w.alices(1), third}), (Presences{Presence::held, Presence::absent, Presence::held}))
        << "visible hashes take precedence";
}

TEST(TemporaryRefusals, AreReportedByDefault) {
    OneEndpoint w({.name = "geth", .pool = two_slots});
    w.send(w.alices(0));
    w.send(w.alices(1));
    EXPECT_EQ(w.send(w.tx(w.bob, {}), w.bob).outcome, SendOutcome::underpriced);
}

TEST(TemporaryRefusals, AreHiddenAndRetriedOnceAMinute) {
    OneEndpoint w({.name = "geth", .pool = two_slots, .temporary_refusals = TemporaryRefusals::hidden_and_retried});
    w.send(w.alices(0, fee_of(20, 4)));
    w.send(w.alices(2, fee_of(20, 4)));
    w.world.run_for(11s);
    const auto hidden = w.tx(w.bob, {});
    EXPECT_EQ(w.send(hidden, w.bob).outcome, SendOutcome::accepted);
    EXPECT_FALSE(w.endpoint.pool().find(hidden->hash));
    w.network.mine();
    w.world.run_for(57s);
    EXPECT_FALSE(w.endpoint.pool().find(hidden->hash));
    w.world.run_for(3s);
    EXPECT_TRUE(w.endpoint.pool().find(hidden->hash)) << "70 s after the endpoint started";
    w.network.mine();
    EXPECT_TRUE(w.is_mined(hidden));
}

TEST(TemporaryRefusals, AreHiddenPermanentlyWithoutRetries) {
    OneEndpoint w({.name = "other", .pool = two_slots, .temporary_refusals = TemporaryRefusals::hidden});
    w.send(w.alices(0, fee_of(20, 4)));
    w.send(w.alices(2, fee_of(20, 4)));
    const auto hidden = w.tx(w.bob, {});
    EXPECT_EQ(w.send(hidden, w.bob).outcome, SendOutcome::accepted);
    w.network.mine();
    w.world.run_for(5min);
    EXPECT_FALSE(w.endpoint.pool().find(hidden->hash));
}

TEST(TemporaryRefusals, AlwaysReportPermanentRefusals) {
    OneEndpoint w({.name = "geth",
                   .pool = {.minimum_tip = Wei(3 * gwei)},
                   .temporary_refusals = TemporaryRefusals::hidden_and_retried});
    EXPECT_EQ(w.send(w.alices(0)).outcome, SendOutcome::price_floor);
}

TEST(EndpointRestart, EmptiesThePoolAndRestoresLocalsAfterTenSeconds) {
    OneEndpoint w({.name = "geth", .temporary_refusals = TemporaryRefusals::hidden_and_retried});
    const auto transaction = w.alices(0);
    w.send(transaction);
    w.world.run_for(2s);
    w.network.restart(w.endpoint);
    EXPECT_EQ(w.endpoint.pool().size(), 0U);
    w.world.run_for(9s);
    EXPECT_EQ(w.endpoint.pool().size(), 0U);
    w.world.run_for(2s);
    EXPECT_TRUE(w.endpoint.pool().find(transaction->hash));
}

// geth stops tracking what was pending at its recheck each minute: if that is dropped later, geth does not add it
// again.
TEST(EndpointRestart, DoesNotRestoreWhatWasPendingAtTheLastRecheck) {
    OneEndpoint w({.name = "geth", .temporary_refusals = TemporaryRefusals::hidden_and_retried});
    w.send(w.alices(0));
    w.world.run_for(11s);
    w.network.restart(w.endpoint);
    w.world.run_for(5min);
    EXPECT_EQ(w.endpoint.pool().size(), 0U);
}

TEST(Delegation, IsReadAtTheHeadAndSurvivesAReorg) {
    OneEndpoint w({.name = "geth"});
    w.network.mine(2);
    w.network.ledger().set_delegated(*w.alice.evm_address(), true);
    EXPECT_TRUE(w.run(w.chain.is_delegated(w.alice)).value());
    EXPECT_FALSE(w.run(w.chain.is_delegated(w.bob)).value());
    w.network.reorg({.depth = 1});
    w.world.run_for(1s);
    EXPECT_TRUE(w.run(w.chain.is_delegated(w.alice)).value());
    w.network.ledger().set_delegated(*w.alice.evm_address(), false);
    EXPECT_FALSE(w.run(w.chain.is_delegated(w.alice)).value());
}

TEST(Delegation, TakesEffectWithAMinedAuthorization) {
    OneEndpoint w({.name = "geth"});
    auto permission = std::make_shared<SimTx>(*w.tx(w.bob, {.gas = 100'000}));
    permission->authorizations = {{.authority = *w.alice.evm_address(), .nonce = Nonce(0)},
                                  {.authority = *w.carol.evm_address(), .nonce = Nonce(5)}};
    w.network.ledger().mine(w.world.unix_now(), std::vector<SimTxPtr>{permission});
    w.world.run_for(1s);
    EXPECT_TRUE(w.run(w.chain.is_delegated(w.alice)).value());
    EXPECT_EQ(w.count(At::latest), Nonce(1)) << "the authorization uses a nonce of the authority";
    EXPECT_FALSE(w.run(w.chain.is_delegated(w.carol)).value()) << "the authorization's nonce was not the next one";
    EXPECT_EQ(w.network.ledger().head().receipts.at(0).gas_used, Gas(21'000 + 2 * 25'000));
}

}  // namespace
}  // namespace fencepost::sim
