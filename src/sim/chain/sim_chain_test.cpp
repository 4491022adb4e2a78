#include "sim/chain/sim_chain.hpp"

#include <gtest/gtest.h>

#include "sim/chain/test_scenario.hpp"

namespace fencepost::sim {
namespace {

using namespace test;
using namespace std::chrono_literals;
using Kind = RpcError::Kind;

struct SimChainReads : ::testing::Test {
    SimTxPtr put(const SubmitterId& from, const TxFields& fields) {
        auto transaction = s.tx(from, fields);
        EXPECT_EQ(s.network.inject(transaction->raw).outcome, SendOutcome::accepted);
        return transaction;
    }
    RpcResult<std::optional<Receipt>> receipt(const SimTxPtr& transaction, Evidence evidence) {
        return s.run(s.chain.receipts({transaction->hash}, evidence)).front();
    }
    const SimBlock& head() { return s.network.ledger().head(); }

    Scenario s;
};

TEST_F(SimChainReads, ReturnsAReceiptOnlyForMinedTransactions) {
    const auto mined = put(s.alice, {});
    s.network.mine();
    const auto waiting = put(s.alice, {.nonce = 1});
    const auto answers = s.run(s.chain.receipts({waiting->hash, mined->hash}, {}));
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_EQ(*answers[0], std::nullopt);
    ASSERT_TRUE(answers[1] && *answers[1]);
    EXPECT_EQ((*answers[1])->block_hash, head().hash());
}

TEST_F(SimChainReads, IgnoresLaggingEndpointsForEvidence) {
    s.one.freeze();
    const auto mined = put(s.alice, {});
    s.network.mine();
    for (int i = 0; i < 20; ++i) {
        const auto answer = receipt(mined, {.at_least = head().number()});
        ASSERT_TRUE(answer);
        EXPECT_TRUE(answer->has_value());
    }
    EXPECT_EQ(receipt(mined, {.at_least = head().number(), .agreeing = 2}).error().kind, Kind::no_evidence);
    s.two.set_down(true);
    EXPECT_EQ(receipt(mined, {.at_least = head().number()}).error().kind, Kind::no_evidence);
    EXPECT_EQ(*receipt(mined, {}), std::nullopt) << "the answering endpoint may lag";
    s.one.thaw();
    EXPECT_TRUE(receipt(mined, {.at_least = head().number()})->has_value());
}

TEST_F(SimChainReads, IgnoresEndpointsOnAnotherBranchForEvidence) {
    s.network.mine(5);
    const auto lost = s.run(s.chain.block(BlockNumber(4), {})).value()->ref;
    s.one.freeze();
    s.network.reorg({.depth = 2});
    for (int i = 0; i < 20; ++i) {
        EXPECT_NE(s.run(s.chain.block(BlockNumber(4), {.having = head().ref()})).value()->ref, lost);
        EXPECT_EQ(s.run(s.chain.block(BlockNumber(4), {.having = lost})).value()->ref, lost);
    }
    s.two.set_down(true);
    EXPECT_EQ(s.run(s.chain.block(BlockNumber(4), {.having = head().ref()})).error().kind, Kind::no_evidence);
}

TEST_F(SimChainReads, LagInBlocksShowsAnOlderHead) {
    s.network.mine(5);
    s.one.lag_blocks(3);
    s.two.set_down(true);
    EXPECT_EQ(*s.run(s.chain.block(BlockNumber(3), {})), std::nullopt);
    EXPECT_EQ((*s.run(s.chain.block(BlockNumber(2), {})))->ref,
              s.network.ledger().ancestor(head(), BlockNumber(2))->ref());
}

TEST_F(SimChainReads, LagInTimeShowsTheOldBranchForAWhile) {
    s.network.mine(2);
    const auto old = head().ref();
    s.world.run_for(1min);
    s.one.lag_time(10s);
    s.network.reorg({.depth = 1});
    s.two.set_down(true);
    EXPECT_EQ((*s.run(s.chain.block(old.number, {})))->ref, old);
    s.world.run_for(10s);
    EXPECT_NE((*s.run(s.chain.block(old.number, {})))->ref, old);
    EXPECT_EQ((*s.run(s.chain.block(old.hash)))->ref, old) << "endpoints remember lost branches";
}

TEST_F(SimChainReads, TriesTheNextEndpointAfterAReadFault) {
    s.two.set_down(true);
    s.one.script_reads({ReadFault::timed_out, ReadFault::rate_limited, ReadFault::refused, ReadFault::unreachable});
    // Whichever endpoint comes first: only endpoint one has a script, and endpoint two is unreachable.
    const auto ask = [this] { return receipt(s.tx(s.alice, {}), {}); };
    for (int i = 0; i < 4; ++i)
        EXPECT_FALSE(ask());
    EXPECT_TRUE(ask());
    s.two.set_down(false);
    s.one.script_reads({ReadFault::rate_limited});
    EXPECT_TRUE(ask()) << "the other endpoint answers";
}

TEST_F(SimChainReads, EveryCallEndsWithinItsTimeLimit) {
    for (auto* endpoint : {&s.one, &s.two})
        endpoint->options().faults.reads_timed_out = 1'000;
    const auto before = s.world.now();
    EXPECT_EQ(s.run(s.chain.transaction_count(s.alice, At::latest)).error().kind, Kind::timed_out);
    EXPECT_LE(s.world.now() - before, 10s + 1ms);
}

TEST_F(SimChainReads, ReturnsTheHighestCountOfAllEndpoints) {
    s.one.freeze();
    put(s.alice, {.nonce = 0});
    s.network.mine();
    put(s.alice, {.nonce = 1});
    EXPECT_EQ(*s.run(s.chain.transaction_count(s.alice, At::latest)), Nonce(1));
    EXPECT_EQ(*s.run(s.chain.transaction_count(s.alice, At::pending)), Nonce(2));
    EXPECT_EQ(*s.run(s.chain.transaction_count(s.alice, At::finalized)), Nonce(0));
    const auto both = *s.run(s.chain.counts(s.alice));
    EXPECT_EQ(std::tuple(both.latest, both.pending, both.answered, both.endpoints),
              std::tuple(Nonce(1), Nonce(2), 2U, 2U));
    s.one.set_down(true);
    EXPECT_EQ(s.run(s.chain.counts(s.alice))->answered, 1U);
}

TEST_F(SimChainReads, ReturnsTheBalanceOfTheHighestEndpoint) {
    s.one.freeze();
    put(s.alice, {.value = 1'000});
    const auto after = [this](At at) { return s.run(s.chain.balance(s.alice, at))->value(); };
    EXPECT_EQ(after(At::latest), ether);
    EXPECT_LT(after(At::pending), ether - Uint256(1'000));
    s.network.mine();
    EXPECT_EQ(after(At::latest), head().state->account(*s.alice.evm_address()).balance);
    EXPECT_EQ(after(At::safe), ether);
}

TEST_F(SimChainReads, AccountReadsAreNotOlderThanTheReportedHead) {
    s.network.mine(3);
    const auto heads = s.chain.heads();
    EXPECT_EQ(s.run(heads->next()).change.added.back().number, BlockNumber(3));
    const auto errors = [this] {
        const Call call{.from = s.alice, .to = address(9).to_lower()};
        std::vector<std::optional<Kind>> kinds;
        const auto add = [&](const auto& result) {
            kinds.push_back(result ? std::nullopt : std::optional(result.error().kind));
        };
        add(s.run(s.chain.transaction_count(s.alice, At::latest)));
        add(s.run(s.chain.balance(s.alice, At::latest)));
        add(s.run(s.chain.estimate_gas(call, At::pending)));
        return kinds;
    };
    s.one.lag_blocks(1);
    EXPECT_EQ(errors(), std::vector<std::optional<Kind>>(3)) << "the other endpoint is high enough";
    s.two.set_down(true);
    EXPECT_EQ(errors(), std::vector<std::optional<Kind>>(3, Kind::no_evidence));
}

TEST_F(SimChainReads, EstimatesOnPendingIncludeTransactionsInFlight) {
    const auto token = address(7);
    s.network.ledger().add_contract(token, needs_approval());
    const Call call{.from = s.alice, .to = token.to_lower(), .data = transfer_from_call()};
    put(s.alice, {.to = token, .data = approve_call()});
    const auto latest = *s.run(s.chain.estimate_gas(call, At::latest));
    ASSERT_TRUE(std::holds_alternative<Reverted>(latest));
    EXPECT_EQ(std::get<Reverted>(latest).reason, no_allowance);
    const auto pending = *s.run(s.chain.estimate_gas(call, At::pending));
    ASSERT_TRUE(std::holds_alternative<Gas>(pending));
    const auto needed = intrinsic_gas(token, call.data).plus(20'000);
    EXPECT_EQ(std::get<Gas>(pending), Gas(needed.value() * 120 / 100));
}

TEST_F(SimChainReads, EstimatesReportInsufficientFunds) {
    const Call call{.from = s.alice, .to = address(9).to_lower(), .value = Wei(ether + Uint256(1))};
    EXPECT_TRUE(std::holds_alternative<Unaffordable>(*s.run(s.chain.estimate_gas(call, At::latest))));
}

TEST_F(SimChainReads, FeesCoverTwiceTheBaseFee) {
    const auto base_fee = s.network.ledger().base_fee_after(head());
    const auto fees = *s.run(s.chain.fees(Speed::normal));
    EXPECT_EQ(max_fee(fees).value(), base_fee * Uint256(2) + Uint256(2 * gwei));
    EXPECT_LT(max_priority_fee(*s.run(s.chain.fees(Speed::slow))), max_priority_fee(fees));
    EXPECT_GT(max_priority_fee(*s.run(s.chain.fees(Speed::fast))), max_priority_fee(fees));
}

TEST(SimChainLegacy, SuggestsAGasPriceWithoutBaseFees) {
    Scenario s(1, {.ledger = {.base_fee = std::nullopt}});
    EXPECT_TRUE(std::holds_alternative<LegacyFee>(*s.run(s.chain.fees(Speed::normal))));
    s.network.inject(s.tx(s.alice, {.fees = LegacyFee{Wei(5)}})->raw);
    EXPECT_FALSE(s.network.mine().block->base_fee);
    EXPECT_EQ(s.network.ledger().executed().at(0).receipt().effective_gas_price, Wei(5));
}

TEST_F(SimChainReads, ReadsReceiptsOfTheGivenBlockOnly) {
    const auto first = put(s.alice, {});
    s.network.mine();
    const auto block = head().ref();
    const auto other = put(s.alice, {.nonce = 1});
    s.network.mine();
    const auto answers = s.run(s.chain.receipts_in(block, {other->hash, first->hash}));
    EXPECT_EQ(*answers[0], std::nullopt);
    EXPECT_EQ((*answers[1])->block_hash, block.hash);
}

TEST_F(SimChainReads, FindDistinguishesMinedPendingAndUnknown) {
    const auto transaction = put(s.alice, {});
    EXPECT_EQ(*s.run(s.chain.find(transaction->hash)), TxLocation{});
    EXPECT_EQ(*s.run(s.chain.pending_at(s.alice, Nonce(0))), transaction->hash);
    s.one.freeze();
    s.network.mine();
    EXPECT_EQ(*s.run(s.chain.find(transaction->hash)),
              (TxLocation{.block_number = head().number(), .block_hash = head().hash()}))
        << "although one endpoint still has it pending";
    s.one.thaw();
    EXPECT_EQ(*s.run(s.chain.pending_at(s.alice, Nonce(0))), std::nullopt);
    EXPECT_EQ(*s.run(s.chain.find(TxHash{})), std::nullopt);
    s.one.set_down(true);
    s.two.set_down(true);
    EXPECT_EQ(s.run(s.chain.find(transaction->hash)).error().kind, Kind::unreachable) << "an error is not 'not there'";
}

TEST_F(SimChainReads, NamesTheTransactionThatUsedANonce) {
    EXPECT_FALSE(s.run(s.chain.find_nonce_use(s.alice, Nonce(0)))->consumed);
    const auto external = put(s.alice, {});
    s.network.mine();
    const auto use = *s.run(s.chain.find_nonce_use(s.alice, Nonce(0)));
    EXPECT_TRUE(use.consumed);
    EXPECT_EQ(use.by, external->hash);
    EXPECT_EQ(use.where->block_hash, head().hash());
}

TEST_F(SimChainReads, DoesNotNameTransactionsBeyondTheHistory) {
    put(s.alice, {});
    s.network.mine(4);
    s.one.options().history = 2;
    s.two.options().history = 2;
    const auto use = *s.run(s.chain.find_nonce_use(s.alice, Nonce(0)));
    EXPECT_TRUE(use.consumed);
    EXPECT_FALSE(use.by);
}

TEST_F(SimChainReads, ReturnsTheFailureReason) {
    s.network.ledger().add_contract(address(7), always_reverts("too late"));
    const auto transaction = put(s.alice, {.to = address(7)});
    s.network.mine();
    const auto receipt = s.run(s.chain.receipts({transaction->hash}, {})).front()->value();
    EXPECT_FALSE(receipt.succeeded);
    EXPECT_EQ(*s.run(s.chain.failure_reason(receipt)), "too late");
}

}  // namespace
}  // namespace fencepost::sim
