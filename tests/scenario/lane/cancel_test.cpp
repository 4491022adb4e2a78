// Cancel, speed-up and abandoned transactions: the verdict follows what was mined.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/conditions.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

bool run_until_filler(LaneScenario& scenario, TxId tx) {
    const auto is_filler = [](const Attempt& attempt) { return attempt.kind == AttemptKind::filler; };
    return scenario.run_until([&] { return std::ranges::any_of(scenario.attempts(tx), is_filler); }, 5min);
}

void refuse_calls(LaneScenario& scenario, SendOutcome outcome) {
    scenario.one.refuse_sends(sim::Verdict{outcome, "no"});
    scenario.two.refuse_sends(sim::Verdict{outcome, "no"});
}

void accept_again(LaneScenario& scenario) {
    scenario.one.refuse_sends(std::nullopt);
    scenario.two.refuse_sends(std::nullopt);
}

std::string published_failure(LaneScenario& scenario, TxId tx) {
    std::string reason;
    for (const auto& logged : scenario.events()) {
        const auto* failed = std::get_if<TxFailed>(&logged.event.body);
        if (logged.event.tx == tx && failed != nullptr) reason = failed->reason;
    }
    return reason;
}

TEST(LaneCancel, Failure25CancelsAQueuedTransactionWithoutANonce) {
    LaneScenario scenario({.lane = {.window = 1, .confirmations_required = 3}});
    scenario.set_mining(false);
    scenario.start("a");
    const auto ids = scenario.accept(scenario.alice, 80);  // deeper than a lane reads
    ASSERT_TRUE(run_until_tracking(scenario, ids[0]));
    scenario.post(CommandKind::cancel, ids[1]);
    scenario.post(CommandKind::cancel, ids[79]);
    scenario.run_for(3s);
    for (const auto id : {ids[1], ids[79]}) {
        EXPECT_EQ(scenario.state(id), State::cancelled);
        EXPECT_FALSE(scenario.view(id).nonce);
        EXPECT_EQ(published_failure(scenario, id), "cancelled");
    }
    EXPECT_TRUE(scenario.pending_commands().empty());
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled(60min));
    for (std::size_t i = 2; i < 79; ++i)
        EXPECT_EQ(scenario.view(ids[i]).nonce, Nonce(i - 1)) << "the others keep their order";
    scenario.expect_lawful();
}

TEST(LaneCancel, Failure33CancelSendsOnlyTheGapFiller) {
    LaneScenario scenario({.lane = resends_soon});
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_tracking(scenario, tx));
    const auto original = *scenario.view(tx).hash;
    scenario.post(CommandKind::cancel, tx);
    ASSERT_TRUE(run_until_filler(scenario, tx));
    EXPECT_EQ(scenario.view(tx).position.sub, SubState::cancelling);
    EXPECT_TRUE(scenario.pending_commands().empty());
    const auto sent = scenario.times_sent(original);
    scenario.run_for(5min);
    EXPECT_EQ(scenario.times_sent(original), sent);
    EXPECT_FALSE(is_final(scenario.state(tx))) << "no verdict before the gap filler is final";
    EXPECT_GT(scenario.attempts(tx).size(), 2U) << "a gap filler that is not mined is bumped";
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::cancelled);
    EXPECT_EQ(published_failure(scenario, tx), "cancelled");
    scenario.expect_lawful();
}

TEST(LaneCancel, VerdictFollowsWhatWasMined) {
    LaneScenario scenario({.lane = resends_soon});
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_tracking(scenario, tx));
    const auto original = scenario.attempts(tx).at(0);
    scenario.post(CommandKind::cancel, tx);
    ASSERT_TRUE(run_until_filler(scenario, tx));
    const auto& ours = *scenario.network.ledger().cache().decode(original.raw).decoded;
    scenario.network.mine();
    scenario.network.reorg({.depth = 1, .fate = sim::Reorg::Fate::dropped, .instead = {ours}});
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed) << "the original was mined first";
    scenario.expect_lawful();
}

TEST(LaneCancel, Failure33CancelsATransactionAtTheFeeCap) {
    auto options = resends_soon;
    LaneScenario scenario({.lane = options});
    scenario.set_mining(false);
    scenario.start("a");
    auto dear = LaneScenario::transfer(1);
    dear.fee = Fees(DynamicFee{options.fee_cap, options.fee_cap});
    const auto tx = scenario.accept(scenario.alice, dear);
    ASSERT_TRUE(run_until_tracking(scenario, tx));
    scenario.post(CommandKind::cancel, tx);
    ASSERT_TRUE(run_until_filler(scenario, tx));
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::cancelled);
    scenario.expect_lawful();
}

TEST(LaneCancel, DoesNotCancelAMinedTransaction) {
    LaneScenario scenario({.lane = resends_soon});
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.view(tx).receipt.has_value(); }));
    scenario.post(CommandKind::cancel, tx);
    scenario.run_for(2s);
    EXPECT_TRUE(scenario.pending_commands().empty());
    EXPECT_THAT(scenario.history_kinds(tx), Contains("diagnosed"));
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    scenario.post(CommandKind::cancel, tx);
    scenario.run_for(2s);
    EXPECT_TRUE(scenario.pending_commands().empty());
    scenario.expect_lawful();
}

TEST(LaneCancel, CommandSurvivesACrashOfItsLane) {
    LaneScenario scenario({.lane = resends_soon});
    scenario.set_mining(false);
    auto& first = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_tracking(scenario, tx));
    first.store().set_fault(StoreFault::unreachable);
    scenario.post(CommandKind::cancel, tx);
    scenario.run_for(3s);
    scenario.kill(first);
    scenario.start("b");
    ASSERT_TRUE(run_until_filler(scenario, tx));
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::cancelled);
    EXPECT_TRUE(scenario.pending_commands().empty());
    scenario.expect_lawful();
}

TEST(LaneCancel, SpeedUpBumpsOnceEvenIfBumpsAreOff) {
    LaneScenario scenario({.lane = resends_soon});
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_tracking(scenario, tx));
    scenario.post(CommandKind::speed_up, tx);
    scenario.run_for(5s);
    EXPECT_TRUE(scenario.pending_commands().empty());
    ASSERT_EQ(scenario.attempts(tx).size(), 2U);
    EXPECT_EQ(scenario.attempts(tx)[1].kind, AttemptKind::bump);
    scenario.run_for(3min);
    EXPECT_EQ(scenario.attempts(tx).size(), 2U);
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    scenario.expect_lawful();
}

TEST(LaneRefused, Failure11FillsTheNonceOfAnUnacceptableTransaction) {
    LaneScenario scenario({.lane = resends_soon});
    scenario.start("a");
    auto hopeless = LaneScenario::transfer(1);
    hopeless.gas_limit = Gas(20'000);  // below the intrinsic gas of a transfer
    const auto tx = scenario.accept(scenario.alice, hopeless);
    const auto next = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_filler(scenario, tx));
    EXPECT_FALSE(is_final(scenario.state(tx))) << "published once the gap filler is final";
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.view(tx).position, (Position{State::failed_final, SubState::none}));
    EXPECT_THAT(published_failure(scenario, tx), HasSubstr("intrinsic_gas"));
    EXPECT_EQ(scenario.state(next), State::confirmed);
    EXPECT_EQ(scenario.submitter(scenario.alice).status.status, SubmitterStatus::active);
    scenario.expect_lawful();
}

TEST(LaneRefused, Failure28OneRefusingEndpointProvesNothing) {
    LaneScenario scenario({.lane = resends_soon});
    scenario.set_mining(false);
    scenario.one.refuse_sends(sim::Verdict{SendOutcome::rejected, "no"});
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    scenario.run_for(5min);
    EXPECT_EQ(scenario.attempts(tx).size(), 1U);
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    scenario.expect_lawful();
}

TEST(LaneRefused, Failure28OneRefusalIsNotEnoughWhileTheOtherIsSilent) {
    LaneScenario scenario({.lane = resends_soon});
    scenario.one.refuse_sends(sim::Verdict{SendOutcome::rejected, "no"});
    scenario.two.set_down(true);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    scenario.run_for(5min);
    EXPECT_EQ(scenario.attempts(tx).size(), 1U);
    scenario.two.set_down(false);
    scenario.one.refuse_sends(std::nullopt);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed);
}

TEST(LaneUnderfunded, StopsAllocationUntilFunded) {
    LaneScenario scenario({.lane = resends_soon});
    refuse_calls(scenario, SendOutcome::insufficient_funds);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.view(tx).position.sub == SubState::underfunded; }, 2min));
    ASSERT_FALSE(scenario.alerts.of(AlertKind::underfunded).empty());
    EXPECT_EQ(scenario.alerts.of(AlertKind::underfunded).front().level, AlertLevel::error);
    const auto next = scenario.accept(scenario.alice);
    scenario.post(CommandKind::speed_up, tx);
    scenario.run_for(2min);
    EXPECT_EQ(scenario.view(tx).position.sub, SubState::underfunded);
    EXPECT_EQ(scenario.attempts(tx).size(), 1U) << "nothing is bumped meanwhile";
    EXPECT_EQ(scenario.state(next), State::queued) << "nothing more gets a nonce";
    accept_again(scenario);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    EXPECT_EQ(scenario.state(next), State::confirmed);
    scenario.expect_lawful();
}

// With one of two answers missing, a round neither counts nor resets the count.
TEST(LaneRefused, UnreliableEndpointDelaysButDoesNotPreventAbandoning) {
    LaneScenario scenario({.lane = {.confirmations_required = 3, .resubmit_interval = 5s}});
    scenario.one.refuse_sends(sim::Verdict{SendOutcome::rejected, "no"});
    scenario.two.refuse_sends(sim::Verdict{SendOutcome::rejected, "no"});
    scenario.two.set_down(true);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    const auto run_until_sent = [&] {
        const auto sent = scenario.view(tx).submit_attempts;
        return scenario.run_until([&] { return scenario.view(tx).submit_attempts > sent; }, 2min);
    };
    ASSERT_TRUE(run_until_sent());
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(scenario.attempts(tx).size(), 1U);
        scenario.two.set_down(false);
        ASSERT_TRUE(run_until_sent());
        scenario.two.set_down(true);
        if (round < 2) ASSERT_TRUE(run_until_sent());
    }
    EXPECT_TRUE(run_until_attempts(scenario, tx, 2)) << "a gap filler";
    scenario.one.refuse_sends(std::nullopt);
    scenario.two.refuse_sends(std::nullopt);
    scenario.two.set_down(false);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::failed_final);
    scenario.expect_lawful();
}

}  // namespace
}  // namespace fencepost::scenario
