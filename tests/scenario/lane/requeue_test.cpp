// Requeue by an operator after an external transaction consumed the nonce: once that is final, as one new transaction,
// and never so that the intent is executed twice.
#include "domain/tx/requeue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/conditions.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr std::uint64_t payout = 4'242;

const Setup one_at_a_time{.lane = {.window = 1, .confirmations_required = 3, .reconcile_interval = 5s}};

// Alice's transaction is in flight, and an external one is mined at its nonce. No further block follows.
struct Taken {
    explicit Taken(LaneScenario& scenario, Intent intent = LaneScenario::transfer(payout))
        : node(&scenario.start("a")) {
        scenario.set_mining(false);
        tx = scenario.accept(scenario.alice, std::move(intent));
        EXPECT_TRUE(scenario.run_until([&] { return scenario.state(tx) == State::tracking; }));
        EXPECT_TRUE(
            is_held(scenario.network.inject(scenario.sign_externally(scenario.alice, Nonce(0), 50).raw).outcome));
        scenario.network.mine();
        EXPECT_TRUE(scenario.run_until([&] { return scenario.view(tx).position == at_nonce_taken; }, 1min));
    }
    Node* node;
    TxId tx;
};

// The external transaction is final.
struct Lost : Taken {
    explicit Lost(LaneScenario& scenario, Intent intent = LaneScenario::transfer(payout))
        : Taken(scenario, std::move(intent)) {
        scenario.set_mining(true);
        EXPECT_TRUE(scenario.run_until([&] { return scenario.view(tx).position == at_nonce_lost; }, 1min));
    }
};

void ask(LaneScenario& scenario, TxId tx) {
    scenario.post(CommandKind::requeue, tx);
    EXPECT_TRUE(scenario.run_until([&] { return scenario.pending_commands().empty(); }, 30s)) << "done or refused";
}

void unprotect_and_wait(LaneScenario& scenario) {
    scenario.post(CommandKind::unprotect, scenario.alice);
    EXPECT_TRUE(scenario.run_until([&] { return scenario.pending_commands().empty(); }, 30s));
}

std::size_t times_executed(LaneScenario& scenario) {
    const auto executed = scenario.network.ledger().executed();
    return static_cast<std::size_t>(std::ranges::count_if(
        executed, [](const auto& one) { return one.transaction->value == Wei(Uint256(payout)); }));
}

std::string last_words(const LaneScenario& scenario, TxId tx) { return scenario.history(tx).back().step.detail; }

TEST(LaneRequeue, Failure29RequeuesByCommandOnceTheExternalTxIsFinal) {
    LaneScenario scenario(one_at_a_time);
    const Lost lost(scenario);
    scenario.run_for(5min);
    EXPECT_EQ(scenario.all().size(), 1U) << "never silently";
    ask(scenario, lost.tx);
    const auto again = requeued_id(lost.tx);
    EXPECT_EQ(scenario.view(lost.tx).requeued_as, again);
    EXPECT_EQ(scenario.view(again).requeued_from, lost.tx);
    EXPECT_THAT(scenario.history_kinds(lost.tx), Contains("requeued"));
    EXPECT_THAT(last_words(scenario, again), HasSubstr("by test: asked"));
    scenario.run_for(1min);
    EXPECT_EQ(scenario.state(again), State::queued) << "the key is still stopped";
    unprotect_and_wait(scenario);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(again) == State::confirmed; }, 1min));
    EXPECT_EQ(scenario.view(again).nonce, Nonce(1));
    EXPECT_EQ(scenario.view(lost.tx).position, at_nonce_lost);
    EXPECT_EQ(times_executed(scenario), 1U);
}

TEST(LaneRequeue, Failure29RefusesRequeueBeforeTheExternalTxIsFinal) {
    LaneScenario scenario(one_at_a_time);
    const Taken taken(scenario);
    ask(scenario, taken.tx);
    EXPECT_THAT(last_words(scenario, taken.tx), HasSubstr("is not final yet"));
    EXPECT_TRUE(scenario.log.has(Severity::warning, "Requeue refused")) << scenario.log.text();
    EXPECT_EQ(scenario.all().size(), 1U);
    scenario.network.reorg({.depth = 1, .fate = sim::Reorg::Fate::dropped});
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    EXPECT_EQ(scenario.state(taken.tx), State::confirmed);
    ask(scenario, taken.tx);
    EXPECT_THAT(last_words(scenario, taken.tx), HasSubstr("it is CONFIRMED"));
    scenario.run_for(1min);
    EXPECT_EQ(times_executed(scenario), 1U);
    EXPECT_EQ(scenario.all().size(), 1U);
    scenario.expect_lawful();
}

TEST(LaneRequeue, Failure29RepeatedRequeueCreatesOneTransaction) {
    LaneScenario scenario(one_at_a_time);
    const Lost lost(scenario);
    for (int i = 0; i < 3; ++i)
        scenario.post(CommandKind::requeue, lost.tx);
    ask(scenario, lost.tx);
    scenario.run_for(1min);
    ask(scenario, lost.tx);
    EXPECT_EQ(scenario.all().size(), 2U);
    EXPECT_FALSE(scenario.log.has(Severity::warning, "Write conflict")) << "and no lane had to reload";
    unprotect_and_wait(scenario);
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    ask(scenario, lost.tx);
    EXPECT_EQ(scenario.all().size(), 2U);
    EXPECT_EQ(times_executed(scenario), 1U);
}

// The owner crashes at each effect of the command; the next owner finds it done, or does it.
TEST(LaneRequeue, Failure29CrashAnywhereRequeuesOnce) {
    for (std::size_t point = 0; point < 6; ++point) {
        SCOPED_TRACE(point);
        LaneScenario scenario(one_at_a_time);
        const Lost lost(scenario);
        scenario.points.crash_at(scenario.points.passed().size() + point, [&] { scenario.kill(*lost.node); });
        scenario.post(CommandKind::requeue, lost.tx);
        scenario.post(CommandKind::unprotect, scenario.alice);
        ASSERT_TRUE(scenario.run_until([&] { return !lost.node->process().is_alive(); }, 1min));
        scenario.start("b");
        const auto again = requeued_id(lost.tx);
        ASSERT_TRUE(scenario.run_until([&] { return scenario.view(lost.tx).requeued_as == again; }, 1min));
        if (scenario.submitter(scenario.alice).status.status == SubmitterStatus::protect) unprotect_and_wait(scenario);
        ASSERT_TRUE(scenario.run_until([&] { return scenario.state(again) == State::confirmed; }, 2min))
            << scenario.log.text();
        EXPECT_EQ(scenario.all().size(), 2U);
        EXPECT_EQ(times_executed(scenario), 1U);
    }
}

TEST(LaneRequeue, RefusesRequeueWithoutNonceLoss) {
    LaneScenario scenario(one_at_a_time);
    scenario.set_mining(false);
    scenario.start("a");
    const auto in_flight = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(in_flight) == State::tracking; }));
    const auto waiting = scenario.accept(scenario.alice);
    const auto bobs = scenario.accept(scenario.bob);
    for (const auto tx : {in_flight, waiting, bobs})
        ask(scenario, tx);
    EXPECT_THAT(last_words(scenario, in_flight),
                HasSubstr("it is TRACKING; only a transaction that permanently lost its nonce"));
    EXPECT_TRUE(scenario.log.has(Severity::warning, "it is QUEUED"));
    EXPECT_TRUE(scenario.log.has(Severity::warning, "the submitter has no such transaction"));
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    ASSERT_TRUE(
        scenario.run_until([&] { return scenario.get(scenario.store->load(scenario.alice)).value().watched.empty(); }));
    ask(scenario, in_flight);
    EXPECT_THAT(last_words(scenario, in_flight), HasSubstr("it is CONFIRMED")) << "also long after its verdict";
    EXPECT_EQ(scenario.all().size(), 3U);
    scenario.expect_lawful();
}

TEST(LaneRequeue, RejectsAnExpiredRequeuedIntent) {
    LaneScenario scenario(one_at_a_time);
    auto intent = LaneScenario::transfer(payout);
    intent.valid_until = scenario.world.unix_now() + 1min;
    const Lost lost(scenario, intent);
    scenario.run_for(2min);
    ask(scenario, lost.tx);
    unprotect_and_wait(scenario);
    const auto again = requeued_id(lost.tx);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(again) == State::rejected; }, 1min));
    EXPECT_EQ(times_executed(scenario), 0U);
}

TEST(LaneRequeue, RequeuedIntentGoesToTheEndOfTheQueue) {
    LaneScenario scenario(one_at_a_time);
    const Taken taken(scenario);
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.view(taken.tx).position == at_nonce_lost; }, 1min));
    unprotect_and_wait(scenario);
    scenario.set_mining(false);
    const auto before = scenario.accept(scenario.alice, 2);
    ask(scenario, taken.tx);
    const auto after = scenario.accept(scenario.alice);
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.view(before.at(0)).nonce, Nonce(1));
    EXPECT_EQ(scenario.view(before.at(1)).nonce, Nonce(2));
    EXPECT_EQ(scenario.view(requeued_id(taken.tx)).nonce, Nonce(3));
    EXPECT_EQ(scenario.view(after).nonce, Nonce(4));
}

}  // namespace
}  // namespace fencepost::scenario
