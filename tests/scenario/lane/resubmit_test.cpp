// Resubmission of the same bytes: claimed first, by one node only, on schedule, and with its results recorded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lane/bump/policies.hpp"
#include "support/conditions.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::HasSubstr;

bool claims_resend(const LaneWrite& write) {
    return std::ranges::any_of(write.transactions, [](const TxUpdate& update) {
        return std::ranges::any_of(update.history,
                                   [](const HistoryStep& step) { return step.kind == HistoryKind::resubmitted; });
    });
}

TEST(LaneResubmit, ClaimsAResendBeforeSending) {
    LaneScenario scenario({.lane = resends_soon});
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_tracking(scenario, tx, 1min));
    scenario.run_for(1s);
    std::size_t resent = 0;
    scenario.points.watch([&](const std::string& point) {
        if (point != "sent") return;
        ++resent;
        EXPECT_GT(scenario.view(tx).next_action_at.value(), scenario.world.unix_now()) << "other owners see the claim";
        EXPECT_EQ(scenario.history_kinds(tx).back(), "resubmitted");
    });
    scenario.run_for(1min);
    EXPECT_GE(resent, 3U);
}

TEST(LaneResubmit, OnlyTheNextOwnerSendsAClaimedResend) {
    LaneScenario scenario({.lane = resends_soon});
    scenario.set_mining(false);
    auto& first = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_tracking(scenario, tx, 1min));
    bool paused = false;
    scenario.points.watch([&](const std::string& point) {
        if (paused || point != "written" || !claims_resend(first.store().written().back().first)) return;
        paused = true;
        scenario.world.pause(first.process());
    });
    ASSERT_TRUE(scenario.run_until([&] { return paused; }, 1min));
    scenario.start("b");
    scenario.run_for(1min);
    scenario.world.resume(first.process());
    scenario.run_for(1min);
    const auto hash = *scenario.view(tx).hash;
    std::size_t by_the_first = 0;
    for (const auto& entry : scenario.network.record().entries())
        by_the_first += entry.node == "a" && entry.endpoint == scenario.one.name() ? 1U : 0U;
    EXPECT_EQ(by_the_first, 1U) << "before it claimed";
    EXPECT_GE(scenario.times_sent(hash), 3U) << "the next owner goes on";
    EXPECT_TRUE(scenario.sent_without_lease().empty());
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(LaneResubmit, NewOwnerKeepsTheResendSchedule) {
    LaneScenario scenario({.lane = {.confirmations_required = 3, .resubmit_interval = 40s}});
    scenario.set_mining(false);
    auto& first = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_tracking(scenario, tx, 1min));
    const auto hash = *scenario.view(tx).hash;
    scenario.run_for(1s);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.times_sent(hash) == 2; }, 1min));
    scenario.run_for(1s);
    const auto next = scenario.view(tx).next_action_at.value();
    EXPECT_GE(next - scenario.world.unix_now(), 70s) << "the second pause is twice as long";
    scenario.kill(first);
    scenario.start("b");
    ASSERT_TRUE(scenario.run_until([&] { return scenario.times_sent(hash) > 2; }, 5min));
    EXPECT_GE(scenario.world.unix_now(), next);
}

std::vector<Duration> pauses_of(LaneScenario& scenario, const TxHash& hash) {
    std::vector<Duration> pauses;
    std::optional<Instant> last;
    for (const auto& entry : scenario.network.record().entries()) {
        if (entry.transaction.hash != hash || entry.endpoint != scenario.one.name()) continue;
        if (last) pauses.emplace_back(entry.left_at - *last);
        last = entry.left_at;
    }
    return pauses;
}

TEST(LaneResubmit, RecordsAnswersUnderTheFenceAndBacksOff) {
    LaneScenario scenario;
    scenario.one.refuse_sends(sim::Verdict{SendOutcome::price_floor, "minimum needed 7"});
    scenario.two.refuse_sends(sim::Verdict{SendOutcome::price_floor, "minimum needed 7"});
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    scenario.run_for(30s);
    const auto seen = scenario.view(tx);
    const auto pauses = pauses_of(scenario, *seen.hash);
    ASSERT_GE(pauses.size(), 4U);
    for (std::size_t i = 1; i < 4; ++i)
        EXPECT_GE(pauses[i], pauses[i - 1] * 3 / 2) << i;
    EXPECT_EQ(seen.submit_attempts, pauses.size() + 1);
    EXPECT_GT(seen.last_submit_at, seen.first_submit_at);
    EXPECT_THAT(seen.error, HasSubstr("minimum needed 7"));
    EXPECT_EQ(seen.fencing_token, scenario.submitter(scenario.alice).lease->token);
    EXPECT_EQ(seen.nonce, Nonce(0)) << "never released";
    scenario.one.refuse_sends(std::nullopt);
    scenario.two.refuse_sends(std::nullopt);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.view(tx).error, "");
    scenario.expect_lawful();
}

const lane::LaneOptions resends_late{.confirmations_required = 3, .resubmit_interval = 1h};

std::string last_step(const LaneScenario& scenario, TxId tx) {
    const auto last = scenario.history(tx).back().step;
    return std::string(name_of(last.kind)) + ": " + last.detail;
}

TEST(LaneResubmitCommand, ClaimsAndSendsTheSameBytesAtOnce) {
    LaneScenario scenario({.lane = resends_late});
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_tracking(scenario, tx, 1min));
    scenario.run_for(1s);
    const auto hash = *scenario.view(tx).hash;
    std::string claimed;
    scenario.points.watch([&](const std::string& point) {
        if (point == "sent") claimed = last_step(scenario, tx);
    });
    scenario.post(CommandKind::resubmit, tx);
    scenario.run_for(5s);
    EXPECT_EQ(claimed, "resubmitted: by test: asked") << "on record before it left";
    EXPECT_EQ(scenario.times_sent(hash), 2U);
    EXPECT_EQ(scenario.attempts(tx).size(), 1U);
    EXPECT_TRUE(scenario.pending_commands().empty());
    scenario.run_for(10min);
    EXPECT_EQ(scenario.times_sent(hash), 2U) << "once";
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(LaneResubmitCommand, ResubmitResumesAHandedOverTransaction) {
    lane::AlwaysDecide policy(StuckDecision::hand_to_person);
    LaneScenario scenario(
        {.lane = {.confirmations_required = 3, .resubmit_interval = 1h, .stuck_after = 5s}, .stuck_policy = &policy});
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(tx) == State::stuck; }, 1min));
    scenario.run_for(1s);
    scenario.post(CommandKind::resubmit, tx);
    ASSERT_TRUE(run_until_tracking(scenario, tx, 1min));
    EXPECT_EQ(scenario.times_sent(*scenario.view(tx).hash), 2U);
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(LaneResubmitCommand, RefusesUnsentMinedAndSettledTransactions) {
    LaneScenario scenario({.lane = {.window = 1, .confirmations_required = 3, .resubmit_interval = 1h}});
    scenario.set_mining(false);
    scenario.start("a");
    const auto first = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_tracking(scenario, first, 1min));
    const auto waiting = scenario.accept(scenario.alice);
    scenario.run_for(2s);
    scenario.post(CommandKind::resubmit, waiting);
    scenario.run_for(2s);
    EXPECT_EQ(last_step(scenario, waiting), "diagnosed: resubmit requested by test refused: not sent yet");
    EXPECT_EQ(scenario.state(waiting), State::queued);
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.view(first).receipt.has_value(); }));
    scenario.post(CommandKind::resubmit, first);
    scenario.run_for(2s);
    EXPECT_THAT(scenario.history_kinds(first), ::testing::Contains("diagnosed"));
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.run_for(1min);
    scenario.post(CommandKind::resubmit, waiting);
    scenario.run_for(5s);
    EXPECT_EQ(last_step(scenario, waiting), "diagnosed: resubmit requested by test came too late");
    EXPECT_TRUE(scenario.pending_commands().empty());
    EXPECT_EQ(scenario.times_sent(*scenario.view(first).hash), 1U);
    EXPECT_EQ(scenario.times_sent(*scenario.view(waiting).hash), 1U);
    scenario.expect_lawful();
}

TEST(LaneResubmitCommand, IgnoresUnknownTransactions) {
    LaneScenario scenario;
    scenario.start("a");
    const auto foreign = scenario.accept(scenario.bob);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.post(CommandKind::resubmit, foreign);
    scenario.post(CommandKind::resubmit, scenario.alice);
    scenario.run_for(5s);
    EXPECT_TRUE(scenario.pending_commands().empty());
    EXPECT_EQ(scenario.log.count(Severity::info, "Command refused: only a transaction in flight can be resent"), 2U);
}

}  // namespace
}  // namespace fencepost::scenario
