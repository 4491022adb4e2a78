// The send window: what makes it grow, and what shrinks it.
#include "pool_fixture.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

using LanePool = PoolFixture;

TEST_F(LanePool, WindowGrowsWithPoolContentsWithoutBlocks) {
    start_and_settle_in();
    s.set_mining(false);
    s.accept(s.alice, 300);
    EXPECT_TRUE(s.run_until([&] { return in_flight() == 300; }, 20s)) << in_flight();
    s.set_mining(true);
    expect_all_settle();
}

TEST_F(LanePool, Failure72DoesNotFloodAFullPoolThatReportsAcceptance) {
    for (auto* endpoint : endpoints()) {
        endpoint->options().temporary_refusals = sim::TemporaryRefusals::hidden;
        auto& limits = endpoint->pool().options();
        limits.account_slots = 4;
        limits.global_slots = 24;
        limits.account_queue = 4;
        limits.global_queue = 8;
    }
    start_and_settle_in();
    s.set_mining(false);
    const auto ids = s.accept(s.alice, 300);
    s.run_for(30s);
    EXPECT_LE(in_flight(), 64U) << "24 are held";
    EXPECT_TRUE(was_reduced());
    s.set_mining(true);
    ASSERT_TRUE(s.run_until([&] { return in_flight() == 0 && s.view(ids.back()).receipt; }, 3min));
    EXPECT_EQ(s.telemetry.of(Counter::resubmit, "claimed"), 0U) << "no 60 s sawtooth";
    expect_all_settle();
}

TEST_F(LanePool, WindowGrowsWithBlocksIfPoolsAreHidden) {
    for (auto* endpoint : endpoints())
        endpoint->options().display = sim::PoolDisplay::hides;
    start_and_settle_in();
    s.set_mining(false);
    const auto ids = s.accept(s.alice, 200);
    s.run_for(20s);
    EXPECT_EQ(in_flight(), 16U) << "no endpoint has shown any of them";
    s.set_mining(true);
    ASSERT_TRUE(s.run_until([&] { return in_flight() == 0 && s.view(ids.back()).receipt; }, 20s));
    EXPECT_THAT(times_sent(ids), Each(1U));
    EXPECT_FALSE(was_reduced());
    expect_all_settle();
}

TEST_F(LanePool, MissingAnswersDoNotReduceTheWindow) {
    start_and_settle_in();
    s.accept(s.alice, 40);
    for (auto* endpoint : endpoints())
        endpoint->set_down(true);
    s.run_for(40s);
    for (auto* endpoint : endpoints())
        endpoint->set_down(false);
    expect_all_settle();
    EXPECT_FALSE(was_reduced());
    EXPECT_FALSE(s.log.has(Severity::info, "Pool full"));
}

TEST_F(LanePool, AccountLimitReducesTheWindowAndSendsTheLowest) {
    const auto ids = hold(40);
    refuse_sends(sim::Verdict{SendOutcome::account_limit, "account limit exceeded"});
    lose_all();
    s.run_for(90s);
    EXPECT_TRUE(was_reduced());
    EXPECT_THAT(s.log.text(), HasSubstr("account_limit"));
    const auto times = times_sent(ids);
    EXPECT_GT(times.front(), times.back()) << "the lowest is sent, the highest waits for room";
    refuse_sends(std::nullopt);
    s.set_mining(true);
    expect_all_settle();
}

TEST_F(LanePool, FullPoolAbandonsNothingAndIsRetriedNextBlock) {
    start_and_settle_in();
    refuse_sends(sim::Verdict{SendOutcome::pool_full, "txpool is full"});
    const auto ids = s.accept(s.alice, 20);
    s.run_for(90s);
    EXPECT_TRUE(s.log.has(Severity::info, "Pool full"));
    EXPECT_THAT(s.history_kinds(ids.front()), Not(Contains("STUCK")));
    s.one.refuse_sends(std::nullopt);
    ASSERT_TRUE(s.run_until([&] { return s.view(ids.front()).receipt.has_value(); }, 10s));
    expect_all_settle();
}

TEST_F(LanePool, OutbidsAFullPoolOncePerNonceAtAWindowOfOne) {
    s.setup.lane.window = 1;
    start_and_settle_in();
    refuse_sends(sim::Verdict{SendOutcome::underpriced, "transaction underpriced"});
    const auto ids = s.accept(s.alice, 3);
    s.run_for(40s);
    const auto attempts = s.attempts(ids.front());
    ASSERT_EQ(attempts.size(), 2U) << "once, however long the pool is full";
    EXPECT_EQ(attempts[1].kind, AttemptKind::bump);
    EXPECT_GT(max_priority_fee(attempts[1].fees), max_priority_fee(attempts[0].fees));
    refuse_sends(std::nullopt);
    expect_all_settle();
}

TEST_F(LanePool, DoesNotOutbidAFullPoolAboveAWindowOfOne) {
    start_and_settle_in();
    refuse_sends(sim::Verdict{SendOutcome::underpriced, "transaction underpriced"});
    const auto ids = s.accept(s.alice, 8);
    s.run_for(4s);
    EXPECT_THAT(s.attempts(ids.front()), SizeIs(1));
    refuse_sends(std::nullopt);
    expect_all_settle();
}

TEST_F(LanePool, Failure71RaisesTheTipToTheReportedPriceFloor) {
    for (auto* endpoint : endpoints())
        endpoint->pool().options().minimum_tip = Wei(Uint256(30 * gwei));
    start_and_settle_in();
    const auto ids = s.accept(s.alice, 3);
    ASSERT_TRUE(s.run_until([&] { return s.view(ids.back()).receipt.has_value(); }, 30s));
    const auto attempts = s.attempts(ids.front());
    ASSERT_EQ(attempts.size(), 2U);
    EXPECT_EQ(max_priority_fee(attempts[1].fees), Wei(Uint256(30 * gwei)));
    EXPECT_FALSE(was_reduced());
    expect_all_settle();
}

TEST_F(LanePool, Failure71DoesNotPayAPriceFloorAboveTheCap) {
    s.setup.lane.fee_cap = Wei(Uint256(20 * gwei));
    for (auto* endpoint : endpoints())
        endpoint->pool().options().minimum_tip = Wei(Uint256(30 * gwei));
    start_and_settle_in();
    const auto id = s.accept(s.alice);
    s.run_for(60s);
    for (const auto& attempt : s.attempts(id))
        EXPECT_LE(max_fee(attempt.fees), s.setup.lane.fee_cap);
    EXPECT_FALSE(s.alerts.of(AlertKind::fee_capped).empty());
    for (auto* endpoint : endpoints())
        endpoint->pool().options().minimum_tip = Wei(1);
    expect_all_settle();
}

TEST_F(LanePool, SendsNothingAboveARefusedNonce) {
    start_and_settle_in();
    refuse_sends(sim::Verdict{SendOutcome::fee_below_base_fee, "max fee per gas less than block base fee"});
    const auto lowest = s.accept(s.alice);
    s.run_for(1s);
    EXPECT_GT(s.times_sent(hash_of(lowest)), 0U);
    const auto above = s.accept(s.alice, 5);
    s.run_for(3s);
    for (const auto id : above)
        EXPECT_TRUE(!s.view(id).hash || s.times_sent(hash_of(id)) == 0) << "a pool would queue it out of order only";
    refuse_sends(std::nullopt);
    expect_all_settle();
}

TEST_F(LanePool, Failure73DelegatedAccountSendsOneAtATime) {
    s.network.ledger().set_delegated(*s.alice.evm_address(), true);
    start_and_settle_in();
    const auto ids = s.accept(s.alice, 10);
    ASSERT_TRUE(s.run_until([&] { return in_flight() == 0 && s.view(ids.back()).receipt; }, 30s));
    EXPECT_TRUE(s.log.has(Severity::warning, "delegated"));
    EXPECT_THAT(times_sent(ids), Each(1U));
    expect_all_settle();
}

TEST_F(LanePool, Failure73DetectsADelegationWithManyInFlight) {
    for (auto* endpoint : endpoints())
        endpoint->options().temporary_refusals = sim::TemporaryRefusals::hidden;
    start_and_settle_in();
    s.accept(s.alice, 3);
    ASSERT_TRUE(s.run_until([&] { return in_flight() == 0; }, 30s));
    s.network.ledger().set_delegated(*s.alice.evm_address(), true);
    const auto ids = s.accept(s.alice, 10);
    ASSERT_TRUE(s.run_until([&] { return in_flight() == 0 && s.view(ids.back()).receipt; }, 60s));
    EXPECT_TRUE(s.log.has(Severity::warning, "delegated"));
    expect_all_settle();
}

TEST_F(LanePool, KeepsTheWindowIfNodesAllowDelegatedAccounts) {
    s.setup.lane.delegated_one_at_a_time = false;
    for (auto* endpoint : endpoints())
        endpoint->pool().options().limits_delegated = false;
    s.network.ledger().set_delegated(*s.alice.evm_address(), true);
    start_and_settle_in();
    s.set_mining(false);
    s.accept(s.alice, 10);
    EXPECT_TRUE(s.run_until([&] { return in_flight() == 10; }, 5s));
    s.set_mining(true);
    expect_all_settle();
}

TEST_F(LanePool, NextOwnerStartsWithHalfOfTheWindow) {
    auto& first = s.start("a");
    s.run_for(5s);
    const auto ids = s.accept(s.alice, 400);
    ASSERT_TRUE(s.run_until([&] { return in_flight() == 0 && s.view(ids.back()).receipt; }, 60s));
    const auto stored = s.submitter(s.alice).window;
    ASSERT_TRUE(stored);
    ASSERT_GE(stored->size, 128U);
    EXPECT_EQ(stored->limit, WindowLimit::demand);
    s.kill(first);
    for (auto* endpoint : endpoints())
        endpoint->options().display = sim::PoolDisplay::hides;  // it stays where it begins
    s.set_mining(false);
    s.accept(s.alice, 400);
    s.start("b");
    s.run_for(40s);
    EXPECT_EQ(in_flight(), stored->size / 2);
    s.set_mining(true);
    expect_all_settle();
}

TEST_F(LanePool, AFirstTransactionRaisesNoAlertBeforeItHadTimeToBeMined) {
    start_and_settle_in();
    s.run_for(60s);
    keep_out_of_blocks(true);
    const auto first = s.accept(s.alice);
    ASSERT_TRUE(s.run_until([&] { return s.view(first).hash && s.times_sent(hash_of(first)) > 0; }, 5s));
    s.run_for(2s);
    EXPECT_TRUE(s.alerts.of(AlertKind::not_mined).empty());
    keep_out_of_blocks(false);
    expect_all_settle();
}

TEST_F(LanePool, AlertsAndDoesNotGrowIfNoBlockIncludesPooledTransactions) {
    keep_out_of_blocks(true);
    start_and_settle_in();
    s.accept(s.alice, 200);
    s.run_for(60s);
    EXPECT_EQ(s.alerts.of(AlertKind::not_mined).size(), 1U);
    const auto most = in_flight();
    s.accept(s.alice, 500);
    s.run_for(20s);
    EXPECT_LE(in_flight(), 2 * most) << "the current round";
    EXPECT_EQ(s.alerts.of(AlertKind::not_mined).size(), 1U) << "once per nonce";
    keep_out_of_blocks(false);
    expect_all_settle();
}

}  // namespace
}  // namespace fencepost::scenario
