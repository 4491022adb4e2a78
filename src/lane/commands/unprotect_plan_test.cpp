#include "lane/commands/unprotect_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lane/test_ids.hpp"

namespace fencepost::lane {
namespace {

using test::tx_id;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Step = UnprotectPlan::Step;

AccountStanding chain_at(std::uint64_t latest, std::uint64_t pending, std::uint64_t finalized) {
    return {.counts = {.latest = Nonce(latest), .pending = Nonce(pending), .answered = 2, .endpoints = 2},
            .finalized = Nonce(finalized)};
}

StoppedSubmitter stopped_at(std::uint64_t cursor, std::vector<NonceHolder> holders = {}) {
    StoppedSubmitter stopped{.status = SubmitterStatus::protect, .cursor = Nonce(cursor), .watch_from = Nonce(cursor)};
    if (!holders.empty()) stopped.watch_from = holders.front().nonce;
    stopped.holders = std::move(holders);
    return stopped;
}

std::string refusal(const StoppedSubmitter& stopped, const AccountStanding& chain) {
    return plan_unprotect(stopped, chain).refusal.value_or("");
}

TEST(UnprotectPlan, MovesTheCursorToTheChainsCountAfterFinality) {
    const auto plan = plan_unprotect(stopped_at(3), chain_at(5, 5, 5));
    EXPECT_EQ(plan.refusal, std::nullopt);
    EXPECT_EQ(plan.cursor, Nonce(5));
    EXPECT_TRUE(plan.moves_watch);
    EXPECT_THAT(refusal(stopped_at(3), chain_at(5, 5, 4)),
                HasSubstr("nonces 3 to 4 were used by external transactions"));
}

TEST(UnprotectPlan, ReportsTheFateOfEachTransaction) {
    auto stopped = stopped_at(14, {{tx_id(1), Nonce(10), {State::stuck, SubState::nonce_taken}},
                                   {tx_id(2), Nonce(11), {State::tracking, SubState::mined}, true},
                                   {tx_id(3), Nonce(12), {State::confirmed, SubState::none}, true},
                                   {tx_id(4), Nonce(13), {State::tracking, SubState::none}}});
    stopped.queued = {tx_id(5)};
    const auto plan = plan_unprotect(stopped, chain_at(13, 14, 11));
    EXPECT_EQ(plan.refusal, std::nullopt);
    EXPECT_EQ(plan.cursor, Nonce(14));
    EXPECT_FALSE(plan.moves_watch);
    EXPECT_THAT(plan.steps, ElementsAre(Step{tx_id(1), Nonce(10), AfterUnprotect::fails},
                                        Step{tx_id(2), Nonce(11), AfterUnprotect::mined},
                                        Step{tx_id(4), Nonce(13), AfterUnprotect::kept},
                                        Step{tx_id(5), std::nullopt, AfterUnprotect::stays_queued}));
}

TEST(UnprotectPlan, Failure29WaitsForFinalityOfTheExternalTx) {
    const auto taken = stopped_at(11, {{tx_id(1), Nonce(10), {State::stuck, SubState::nonce_taken}}});
    EXPECT_THAT(refusal(taken, chain_at(11, 11, 10)), HasSubstr("nonce 10 was used by an external transaction"));
    EXPECT_EQ(refusal(taken, chain_at(11, 11, 11)), "");
    const auto unknown = stopped_at(11, {{tx_id(1), Nonce(10), {State::tracking, SubState::none}}});
    EXPECT_THAT(refusal(unknown, chain_at(11, 11, 10)), HasSubstr("consumed by an unknown transaction"));
    EXPECT_EQ(refusal(unknown, chain_at(10, 11, 10)), "");
}

TEST(UnprotectPlan, WaitsForExternalTransactionsInFlight) {
    EXPECT_THAT(refusal(stopped_at(3), chain_at(3, 4, 3)),
                HasSubstr("nonces 3 to 3 are used by external transactions"));
    const auto ours = stopped_at(4, {{tx_id(1), Nonce(3), {State::tracking, SubState::none}}});
    EXPECT_EQ(refusal(ours, chain_at(3, 4, 3)), "");
}

TEST(UnprotectPlan, SharedKeyDoesNotWaitForOthersAndKeepsTheCursor) {
    auto stopped = stopped_at(3);
    stopped.is_shared = true;
    const auto plan = plan_unprotect(stopped, chain_at(5, 7, 4));
    EXPECT_EQ(plan.refusal, std::nullopt);
    EXPECT_EQ(plan.cursor, Nonce(3));
    EXPECT_FALSE(plan.moves_watch);
    EXPECT_THAT(refusal(stopped, chain_at(2, 2, 2)), HasSubstr("fewer than"))
        << "a wrong chain concerns shared keys, too";
}

TEST(UnprotectPlan, RefusesIfActiveOrWrongChainOrTooFewAnswers) {
    auto active = stopped_at(3);
    active.status = SubmitterStatus::paused;
    EXPECT_THAT(refusal(active, chain_at(3, 3, 3)), HasSubstr("not stopped"));
    EXPECT_THAT(refusal(stopped_at(3), chain_at(2, 2, 2)), HasSubstr("fewer than the 3 that were final"));
    auto few = chain_at(3, 3, 3);
    few.counts.answered = 1;
    EXPECT_THAT(refusal(stopped_at(3), few), HasSubstr("only 1 of 2 endpoints answered"));
}

TEST(UnprotectPlan, StoppedBootstrapStartsAtTheChainsCount) {
    StoppedSubmitter stopped{.status = SubmitterStatus::protect};
    const auto plan = plan_unprotect(stopped, chain_at(3, 3, 1));
    EXPECT_EQ(plan.refusal, std::nullopt);
    EXPECT_EQ(plan.cursor, Nonce(3));
    EXPECT_FALSE(plan.moves_watch) << "a first cursor sets its own watch start";
    EXPECT_THAT(refusal(stopped, chain_at(3, 5, 3)), HasSubstr("nonces 3 to 4"));
}

TEST(UnprotectPlan, DryRunMatchesTheLane) {
    LaneState state{.next_nonce = Nonce(8), .watch_from = Nonce(7), .status = {SubmitterStatus::protect, "why"}};
    Transaction watched{.id = tx_id(1), .submitter = SubmitterId::evm(1, Address{})};
    watched.position = {State::tracking, SubState::none};
    watched.nonce = Nonce(7);
    state.watched.push_back(watched);
    const auto plan = plan_unprotect(stopped_submitter(state, {{.id = tx_id(2)}}), chain_at(7, 8, 7));
    EXPECT_EQ(plan.refusal, std::nullopt);
    EXPECT_THAT(plan.steps, ElementsAre(Step{tx_id(1), Nonce(7), AfterUnprotect::kept},
                                        Step{tx_id(2), std::nullopt, AfterUnprotect::stays_queued}));
}

RC_GTEST_PROP(UnprotectPlan, CursorNeverGoesBackNorPassesUnfinalNonces, ()) {
    const auto cursor = *rc::gen::inRange<std::uint64_t>(0, 20);
    const auto latest = *rc::gen::inRange<std::uint64_t>(0, 20);
    const auto pending = latest + *rc::gen::inRange<std::uint64_t>(0, 3);
    const auto finalized = *rc::gen::inRange<std::uint64_t>(0, latest + 1);
    const auto plan = plan_unprotect(stopped_at(cursor), chain_at(latest, pending, finalized));
    RC_ASSERT(plan.cursor >= Nonce(cursor));
    if (!plan.refusal) RC_ASSERT(plan.cursor == Nonce(cursor) || plan.cursor <= Nonce(finalized));
}

}  // namespace
}  // namespace fencepost::lane
