#include <algorithm>

#include <gtest/gtest.h>

#include "sim/chain/test_scenario.hpp"

namespace fencepost::sim {
namespace {

using namespace test;
using namespace std::chrono_literals;

struct SimChainSend : ::testing::Test {
    std::vector<SendReport> send(const std::vector<SimTxPtr>& transactions) {
        SendBatch batch{.from = s.alice, .items = {}};
        for (const auto& transaction : transactions)
            batch.items.push_back({transaction->nonce, transaction->raw});
        return s.run(s.chain.send(std::move(batch)));
    }
    std::vector<SendOutcome> outcomes(const SendReport& report) {
        std::vector<SendOutcome> result;
        for (const auto& answer : report.answers)
            result.push_back(answer.outcome);
        return result;
    }
    SimTxPtr tx(const TxFields& fields = {}) { return s.tx(s.alice, fields); }
    bool is_mined(const SimTxPtr& transaction) {
        return s.network.ledger().executed(s.network.ledger().head(), transaction->hash).has_value();
    }

    Scenario s{1, {.gossip = std::nullopt}};
};

using Outcomes = std::vector<SendOutcome>;

TEST_F(SimChainSend, SendsToEveryEndpointAndReturnsOnceHeld) {
    const auto transaction = tx();
    const auto reports = send({transaction});
    ASSERT_EQ(reports.size(), 1U);
    EXPECT_EQ(outcomes(reports[0]), Outcomes{SendOutcome::accepted}) << "did not wait for the second answer";
    s.world.run_for(1s);
    EXPECT_TRUE(s.one.pool().find(transaction->hash));
    EXPECT_TRUE(s.two.pool().find(transaction->hash));
}

TEST_F(SimChainSend, ReportsKeepTheOrderOfTheBatch) {
    const auto good = tx({.nonce = 0});
    const auto bad = tx({.nonce = 1, .gas = 100});
    const auto reports = send({bad, good});
    ASSERT_EQ(reports.size(), 2U);
    EXPECT_EQ(outcomes(reports[0]), (Outcomes{SendOutcome::intrinsic_gas, SendOutcome::intrinsic_gas}));
    EXPECT_EQ(reports[1].answers.front().outcome, SendOutcome::accepted);
}

TEST_F(SimChainSend, ReportsATimeOutAfterAcceptanceAsUnknown) {
    s.one.script_sends({SendFault::timed_out_after_arriving});
    s.two.script_sends({SendFault::lost});
    const auto transaction = tx();
    const auto before = s.world.now();
    const auto reports = send({transaction});
    EXPECT_EQ(outcomes(reports[0]), (Outcomes{SendOutcome::unknown, SendOutcome::unknown}));
    EXPECT_LE(s.world.now() - before, 10s + 1ms) << "within the time limit";
    s.network.mine();
    EXPECT_TRUE(is_mined(transaction));
}

TEST_F(SimChainSend, ALostSendIsUnknownAndNeverMined) {
    s.one.script_sends({SendFault::lost});
    s.two.script_sends({SendFault::lost});
    const auto transaction = tx();
    EXPECT_EQ(outcomes(send({transaction})[0]), (Outcomes{SendOutcome::unknown, SendOutcome::unknown}));
    s.network.mine();
    EXPECT_FALSE(is_mined(transaction));
    EXPECT_EQ(outcomes(send({transaction})[0]), Outcomes{SendOutcome::accepted}) << "no scripted fault is left";
}

TEST_F(SimChainSend, ReportsUnreachableAndRateLimitedEndpointsAtOnce) {
    s.one.set_down(true);
    s.two.script_sends({SendFault::rate_limited});
    const auto before = s.world.now();
    const auto reports = send({tx()});
    EXPECT_LT(s.world.now() - before, 1s);
    ASSERT_EQ(reports[0].answers.size(), 2U);
    for (const auto& answer : reports[0].answers) {
        EXPECT_EQ(answer.outcome, SendOutcome::unknown);
        EXPECT_EQ(answer.message, answer.endpoint == "one" ? "unreachable" : "429 Too Many Requests");
    }
    EXPECT_EQ(s.two.pool().size(), 0U);
}

TEST_F(SimChainSend, ADuplicatedSendIsAlreadyKnown) {
    s.two.set_down(true);
    s.one.script_sends({SendFault::duplicated});
    EXPECT_EQ(send({tx()})[0].answers.back().outcome, SendOutcome::already_known);
    EXPECT_EQ(s.one.pool().size(), 1U);
}

TEST_F(SimChainSend, CutsOffASingleNode) {
    auto& other = s.world.start_node("other");
    SimChain others_chain(other, s.network);
    s.one.cut_off("node");
    s.two.cut_off("node");
    EXPECT_EQ(outcomes(send({tx()})[0]), (Outcomes{SendOutcome::unknown, SendOutcome::unknown}));
    EXPECT_TRUE(s.network.record().entries().empty()) << "nothing left the node";
    s.two.reconnect("node");
    EXPECT_EQ(send({tx()})[0].answers.back().outcome, SendOutcome::accepted);
}

TEST_F(SimChainSend, RefusesEverySendWhenConfigured) {
    s.one.refuse_sends(Verdict{SendOutcome::rejected, "sanctioned"});
    s.two.set_down(true);
    const auto report = send({tx()})[0];
    const auto refused = std::ranges::find(report.answers, "one", &SendReport::Answer::endpoint);
    ASSERT_NE(refused, report.answers.end());
    EXPECT_EQ(refused->outcome, SendOutcome::rejected);
    EXPECT_EQ(refused->message, "sanctioned");
}

TEST_F(SimChainSend, RefusesInvalidBytesAndTransactionsOfOtherChains) {
    EXPECT_EQ(s.run(s.chain.send(batch_of(s.alice, {Bytes{1, 2, 3}})))[0].answers.front().outcome,
              SendOutcome::rejected);
    SimSigner other_chain_signer(5, 1);
    const auto other_chain_tx = other_chain_signer.sign_now(unsigned_of(other_chain_signer.submitter(0), {}));
    EXPECT_EQ(s.run(s.chain.send(batch_of(s.alice, {other_chain_tx.raw})))[0].answers.front().outcome,
              SendOutcome::invalid_signature);
}

TEST_F(SimChainSend, RecordsEveryTransmission) {
    std::vector<TxHash> watched;
    s.network.record().watch([&](const WireEntry& entry) { watched.push_back(entry.transaction.hash); });
    s.one.script_sends({SendFault::lost});
    const auto transaction = tx();
    const auto left_at = s.world.now();
    send({transaction});
    s.world.run_for(1s);
    const auto& entries = s.network.record().entries();
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(watched, (std::vector{transaction->hash, transaction->hash}));
    EXPECT_EQ(entries[0].node, "node");
    EXPECT_EQ(entries[0].endpoint, "one");
    EXPECT_EQ(entries[0].left_at, left_at);
    EXPECT_EQ(*entries[0].transaction.raw, transaction->raw);
    EXPECT_FALSE(entries[0].arrived_at);
    EXPECT_EQ(entries[1].endpoint, "two");
    EXPECT_GT(*entries[1].arrived_at, left_at);
    EXPECT_EQ(entries[1].outcome, SendOutcome::accepted);
}

Task<void> send_and_forget(SimChain* chain, SendBatch batch) {
    co_await chain->send(std::move(batch));
    ADD_FAILURE() << "the node is dead";
}

TEST_F(SimChainSend, DeliversTransmissionsOfADeadNode) {
    const auto transaction = tx();
    s.world.spawn(s.node, send_and_forget(&s.chain, batch_of(s.alice, {transaction->raw})));
    s.world.run_for(100us);
    ASSERT_EQ(s.one.pool().size(), 0U) << "still in transit";
    s.world.kill(s.node);
    s.world.run_for(1s);
    EXPECT_EQ(s.one.pool().size(), 1U);
    s.network.mine();
    EXPECT_TRUE(is_mined(transaction));
}

TEST(SimNetworkGossip, DeliversToOtherEndpointsLater) {
    Scenario s;
    const auto transaction = s.tx(s.alice, {});
    s.two.set_down(true);
    s.run(s.chain.send(batch_of(s.alice, {transaction->raw})));
    EXPECT_FALSE(s.two.pool().find(transaction->hash));
    s.world.run_for(1s);
    EXPECT_TRUE(s.two.pool().find(transaction->hash));
}

TEST(SimNetworkGossip, PrivateEndpointsDoNotGossip) {
    Scenario s;
    s.one.options().gossips = false;
    s.one.options().feeds_miners = false;
    s.two.set_down(true);
    const auto transaction = s.tx(s.alice, {});
    s.run(s.chain.send(batch_of(s.alice, {transaction->raw})));
    s.world.run_for(1s);
    EXPECT_FALSE(s.two.pool().find(transaction->hash));
    s.network.mine();
    EXPECT_TRUE(s.network.ledger().executed().empty());
}

TEST(SimNetworkMiner, MinesAtItsInterval) {
    Scenario s;
    s.world.spawn(s.network.process(), s.network.mine_every(12s));
    s.world.run_for(2min);
    EXPECT_EQ(s.network.ledger().head().number(), BlockNumber(10));
}

TEST(SimNetworkReorg, ReturnsOrDropsRemovedTransactions) {
    Scenario s;
    const auto back = s.tx(s.alice, {});
    const auto gone = s.tx(s.bob, {});
    s.network.inject(back->raw);
    s.network.inject(gone->raw);
    s.network.mine();
    ASSERT_EQ(s.network.ledger().executed().size(), 2U);
    s.two.freeze();
    s.network.reorg({.depth = 1, .fates = {{gone->hash, Reorg::Fate::dropped}}});
    EXPECT_TRUE(s.one.pool().find(back->hash));
    EXPECT_FALSE(s.one.pool().find(gone->hash));
    s.network.mine();
    ASSERT_EQ(s.network.ledger().executed().size(), 1U);
    EXPECT_EQ(s.network.ledger().executed().front().transaction, back);
}

}  // namespace
}  // namespace fencepost::sim
