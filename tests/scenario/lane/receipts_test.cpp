// From a possible send to a receipt: a missing answer is never a "no", and the cost of queries is per block, not per
// transaction.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text/hex.hpp"
#include "support/conditions.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

const lane::LaneOptions slow_resends{.confirmations_required = 3, .resubmit_interval = 10min};

std::vector<Duration> gaps(const std::vector<FaultyChain::Poll>& polls) {
    std::vector<Duration> gaps;
    for (std::size_t i = 1; i < polls.size(); ++i)
        gaps.push_back(polls[i].at - polls[i - 1].at);
    return gaps;
}

TEST(LaneReceipts, Failure08FailedReceiptCallIsNoMissingReceipt) {
    LaneScenario scenario;
    auto& node = scenario.start("a");
    node.chain().fail_receipts(true);
    const auto ids = scenario.accept(scenario.alice, 5);
    scenario.run_for(5min);
    for (const auto id : ids) {
        EXPECT_EQ(scenario.state(id), State::tracking) << "mined long ago, and no endpoint answered";
        EXPECT_EQ(scenario.get(scenario.store->attempts(id)).value().size(), 1U) << "nothing is signed again";
    }
    EXPECT_EQ(scenario.submitter(scenario.alice).status.status, SubmitterStatus::active);
    EXPECT_GE(scenario.telemetry.of(Counter::receipt_check, "error"), 5U);
    node.chain().fail_receipts(false);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(LaneReceipts, UnreliableEndpointsLoseNothing) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        LaneScenario scenario({.seed = seed});
        for (auto* endpoint : {&scenario.one, &scenario.two}) {
            endpoint->options().faults = {.sends_lost = 150,
                                          .sends_timed_out_after_arriving = 150,
                                          .sends_rate_limited = 100,
                                          .sends_duplicated = 100,
                                          .reads_timed_out = 150,
                                          .reads_rate_limited = 150};
        }
        scenario.start("a");
        scenario.accept(scenario.alice, 30);
        ASSERT_TRUE(scenario.run_until_settled(60min)) << scenario.log.text();
        scenario.expect_lawful();
    }
}

TEST(LaneReceipts, FailedReceiptCallsBackOffToThirtySeconds) {
    LaneScenario scenario({.lane = slow_resends});
    auto& node = scenario.start("a");
    node.chain().fail_receipts(true);
    scenario.accept(scenario.alice);
    scenario.run_for(10min);
    const auto waits = gaps(node.chain().polls());
    ASSERT_GE(waits.size(), 10U);
    for (std::size_t i = 1; i < waits.size(); ++i)
        EXPECT_GE(waits[i] + 50ms, waits[i - 1]) << "they grow";
    EXPECT_NEAR(static_cast<double>(waits.back().count()), static_cast<double>(Duration(30s).count()),
                static_cast<double>(Duration(1s).count()));
}

TEST(LaneReceipts, FindsReceiptsByBlockWithoutPolling) {
    LaneScenario scenario({.lane = {.window = 100, .confirmations_required = 3}});
    auto& node = scenario.start("a");
    scenario.accept(scenario.alice, 100);
    scenario.accept(scenario.bob, 100);
    ASSERT_TRUE(scenario.run_until_settled());
    std::set<BlockNumber> blocks;
    for (const auto& tx : scenario.all())
        blocks.insert(tx.receipt->block_number);
    EXPECT_EQ(node.chain().block_calls(), blocks.size()) << "one call a block, for all lanes";
    EXPECT_EQ(node.chain().polls().size(), 0U);
}

TEST(LaneReceipts, PollsStaleTransactionsInBatchesWithoutNewBlocks) {
    LaneScenario scenario({.lane = slow_resends});
    scenario.set_mining(false);
    auto& node = scenario.start("a");
    const auto ids = scenario.accept(scenario.alice, 10);
    ASSERT_TRUE(run_until_tracking(scenario, ids.back()));
    scenario.run_for(150s);
    // After a minute, and after two; those that got their nonces in one commit in one call.
    std::set<UnixTime> commits;
    for (const auto id : ids) {
        for (const auto& entry : scenario.history(id))
            if (entry.step.kind == HistoryKind::allocated) commits.insert(entry.first_at);
    }
    EXPECT_LT(commits.size(), ids.size());
    EXPECT_LE(node.chain().polls().size(), 2 * commits.size());
    std::size_t asked = 0;
    for (const auto& poll : node.chain().polls())
        asked += poll.hashes;
    EXPECT_EQ(asked, 20U);
    EXPECT_TRUE(scenario.view(ids[0]).last_receipt_check.has_value()) << "when it was asked for is on record";
    EXPECT_EQ(scenario.telemetry.of(Counter::receipt_check, "miss"), 20U);
}

TEST(LaneReceipts, FetchReceiptUponEntryControlsTheFirstPoll) {
    for (const bool upon_entry : {true, false}) {
        LaneScenario scenario;
        scenario.set_mining(false);
        auto& first = scenario.start("a");
        const auto ids = scenario.accept(scenario.alice, 5);
        ASSERT_TRUE(run_until_tracking(scenario, ids.back()));
        scenario.kill(first);
        scenario.run_for(11s);
        auto own = scenario.setup;
        own.lane.fetch_receipt_upon_entry = upon_entry;
        auto& second = scenario.start("b", own);
        scenario.run_for(10s);
        EXPECT_EQ(second.chain().polls().size(), upon_entry ? 1U : 0U);
    }
}

TEST(LaneReceipts, ReceiptWorkersLimitConcurrentPolls) {
    LaneScenario scenario({.lane = slow_resends, .host = {.receipt_workers = 3}});
    scenario.set_mining(false);
    auto& node = scenario.start("a");
    node.chain().delay_polls(5s);
    for (std::uint64_t i = 10; i < 22; ++i) {
        const auto submitter = scenario.signer.submitter(i);
        scenario.network.ledger().fund(*submitter.evm_address(), ether);
        scenario.accept(submitter);
    }
    scenario.run_for(90s);
    EXPECT_EQ(node.chain().polls().size(), 12U);
    EXPECT_EQ(node.chain().polls_at_once(), 3U);
}

TEST(LaneReceipts, Failure07FindsASendWithoutAnAnswerOnTheChain) {
    LaneScenario scenario;
    scenario.one.script_sends({sim::SendFault::timed_out_after_arriving});
    scenario.two.script_sends({sim::SendFault::timed_out_after_arriving});
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    scenario.expect_lawful();
}

TEST(LaneReceipts, Failure07AlreadyKnownIsSuccess) {
    LaneScenario scenario;
    scenario.set_mining(false);
    scenario.one.script_sends({sim::SendFault::timed_out_after_arriving});
    scenario.two.script_sends({sim::SendFault::timed_out_after_arriving});
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_tracking(scenario, tx));
    EXPECT_GE(scenario.telemetry.of(Counter::tx_submit, "grey_zone"), 1U);
    EXPECT_EQ(scenario.telemetry.of(Counter::tx_submit, "idempotent"), 1U);
    EXPECT_EQ(scenario.times_sent(*scenario.view(tx).hash), 2U) << "the same bytes";
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(LaneReceipts, ResendsALostSendWithSameBytesAndNonce) {
    LaneScenario scenario;
    scenario.one.script_sends({sim::SendFault::lost, sim::SendFault::lost});
    scenario.two.script_sends({sim::SendFault::lost, sim::SendFault::rate_limited});
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.view(tx).position.sub == SubState::stale; }));
    EXPECT_EQ(scenario.state(tx), State::allocated);
    EXPECT_THAT(scenario.view(tx).error, HasSubstr("unknown")) << "the reason is recorded";
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.get(scenario.store->attempts(tx)).value().size(), 1U);
    EXPECT_EQ(scenario.view(tx).nonce, Nonce(0));
    EXPECT_EQ(scenario.view(tx).error, "");
    EXPECT_EQ(scenario.times_sent(*scenario.view(tx).hash), 3U);
    EXPECT_THAT(scenario.history_kinds(tx), Contains("resubmitted"));
    EXPECT_EQ(scenario.telemetry.of(Counter::resubmit, "claimed"), 2U);
    scenario.expect_lawful();
}

TEST(LaneReceipts, NonceTooLowByOwnMinedAttemptDoesNotProtect) {
    LaneScenario scenario({.lane = {.confirmations_required = 3, .resubmit_interval = 5s}});
    auto& first = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_tracking(scenario, tx));
    scenario.kill(first);
    scenario.run_for(11s);  // mined, and not queried
    auto own = scenario.setup;
    own.lane.fetch_receipt_upon_entry = false;
    auto& second = scenario.start("b", own);
    second.chain().fail_receipts(true);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.telemetry.of(Counter::tx_submit, "transient") > 0; }, 1min));
    second.chain().fail_receipts(false);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.telemetry.of(Counter::tx_submit, "resolved"), 1U);
    EXPECT_EQ(scenario.submitter(scenario.alice).status.status, SubmitterStatus::active);
    scenario.expect_lawful();
}

TEST(LaneReceipts, ExternalTxAtOurNonceStopsTheSubmitterWithItsHash) {
    LaneScenario scenario;
    scenario.set_mining(false);
    scenario.one.refuse_sends(sim::Verdict{SendOutcome::pool_full, "txpool is full"});
    scenario.two.refuse_sends(sim::Verdict{SendOutcome::pool_full, "txpool is full"});
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    const auto behind = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.view(tx).submit_attempts > 0; }));
    scenario.one.refuse_sends(std::nullopt);
    scenario.two.refuse_sends(std::nullopt);
    const auto foreign = scenario.sign_externally(scenario.alice, Nonce(0));
    ASSERT_TRUE(is_held(scenario.network.inject(foreign.raw).outcome));
    scenario.network.mine();
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(tx) == State::stuck; }, 1min));
    EXPECT_EQ(scenario.view(tx).position.sub, SubState::nonce_taken);
    EXPECT_THAT(scenario.view(tx).error, HasSubstr(to_hex_prefixed(foreign.hash.view())));
    const auto status = scenario.submitter(scenario.alice).status;
    EXPECT_EQ(status.status, SubmitterStatus::protect);
    EXPECT_THAT(status.reason, HasSubstr(to_hex_prefixed(foreign.hash.view())));
    EXPECT_TRUE(scenario.log.has(Severity::alert, "used by an external sender"));

    scenario.run_for(5min);  // it waits without a busy loop
    EXPECT_EQ(scenario.view(tx).position, (Position{State::failed_final, SubState::nonce_taken}))
        << "once the external transaction is final";
    EXPECT_THAT(scenario.view(tx).error, HasSubstr(to_hex_prefixed(foreign.hash.view())));
    EXPECT_EQ(scenario.telemetry.of(Counter::finality, "FAILED_FINAL"), 1U);
    EXPECT_EQ(scenario.view(behind).nonce, Nonce(1)) << "what had a nonce keeps it";
}

TEST(LaneReceipts, SlowReceiptsDoNotDelaySends) {
    LaneScenario scenario;
    auto& node = scenario.start("a");
    node.chain().delay_block_calls(8s);
    node.chain().delay_polls(8s);
    scenario.accept(scenario.alice, 16);
    scenario.run_for(10s);
    const auto accepted = scenario.world.now();
    const auto tx = scenario.accept(scenario.bob);
    ASSERT_TRUE(run_until_tracking(scenario, tx));
    EXPECT_LE(scenario.world.now() - accepted, 1s);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(LaneReceipts, SlowReceiptsOfOneBlockDoNotDelayOtherBlocks) {
    LaneScenario scenario;
    auto& node = scenario.start("a");
    const auto quick = scenario.accept(scenario.bob);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.view(quick).receipt.has_value(); }));
    const auto mined = scenario.world.now();
    // Alice's receipt takes as long as twenty blocks; bob's three confirmations come meanwhile.
    node.chain().delay_block_calls(40s);
    const auto slow = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return is_final(scenario.state(quick)); }));
    EXPECT_LE(scenario.world.now() - mined, 4 * scenario.setup.block_interval);
    EXPECT_FALSE(scenario.view(slow).receipt.has_value());
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(LaneReceipts, MissingReceiptBlocksNoOtherTransaction) {
    LaneScenario scenario;
    scenario.start("a");
    auto cheap = LaneScenario::transfer(1);
    cheap.fee = Fees(DynamicFee{Wei(Uint256(1'000)), Wei(Uint256(1'000))});
    const auto waits = scenario.accept(scenario.alice, cheap);
    const auto ids = scenario.accept(scenario.bob, 10);
    const auto is_done = [&](TxId id) { return scenario.state(id) == State::confirmed; };
    ASSERT_TRUE(scenario.run_until([&] { return std::ranges::all_of(ids, is_done); }, 1min));
    EXPECT_FALSE(is_final(scenario.state(waits)));
}

}  // namespace
}  // namespace fencepost::scenario
