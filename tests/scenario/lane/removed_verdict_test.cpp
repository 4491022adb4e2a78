// A reorg beyond the required depth removes settled transactions (failure 46). The kind of attempt behind the verdict
// is resent and may be bumped; only an operator's command replaces it by a gap filler, which revokes the verdict.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lane/bump/policies.hpp"
#include "support/conditions.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr Position removed_while_confirmed{State::confirmed, SubState::forked};

struct DeepReorgs : Setup {
    explicit DeepReorgs(lane::LaneOptions options = resends_soon) {
        lane = options;
        network.ledger = {.base_fee_is_fixed = true, .safe_lag = 20, .finalized_lag = 40};
    }
};

lane::LaneOptions bumping() {
    auto options = resends_soon;
    options.bump = {.enabled = true, .min_interval = 10s};
    return options;
}

// Everything settled is removed, and mining is paused.
void remove_settled(LaneScenario& scenario) {
    scenario.set_mining(false);
    scenario.network.reorg({.depth = 15, .fate = sim::Reorg::Fate::dropped});
    ASSERT_TRUE(scenario.run_until([&] {
        return std::ranges::all_of(scenario.all(), [](const auto& tx) { return tx.position.sub == SubState::forked; });
    })) << scenario.log.text();
}

std::vector<TxId> confirm_and_remove(LaneScenario& scenario, std::size_t count) {
    scenario.network.mine(30);
    scenario.start("a");
    const auto ids = scenario.accept(scenario.alice, count);
    EXPECT_TRUE(scenario.run_until_settled());
    remove_settled(scenario);
    return ids;
}

// Beyond what was offered for it.
void raise_base_fee(LaneScenario& scenario, std::uint64_t to_gwei) {
    scenario.network.ledger().set_next_base_fee(Wei(Uint256(to_gwei * gwei)));
    scenario.network.mine();
}

bool run_until_all_mined(LaneScenario& scenario, Duration at_most = 5min) {
    return scenario.run_until(
        [&] { return std::ranges::all_of(scenario.all(), [](const auto& tx) { return tx.receipt.has_value(); }); },
        at_most);
}

std::vector<AttemptKind> kinds_of(LaneScenario& scenario, TxId tx) {
    std::vector<AttemptKind> kinds;
    std::ranges::transform(scenario.attempts(tx), std::back_inserter(kinds), &Attempt::kind);
    return kinds;
}

bool run_until_revoked(LaneScenario& scenario, TxId tx) {
    return scenario.run_until([&] { return scenario.view(tx).abandonment == Abandonment::revoked; }, 2min);
}

std::vector<TxVerdictRevoked> revocations_of(LaneScenario& scenario, TxId tx) {
    std::vector<TxVerdictRevoked> told;
    for (const auto& logged : scenario.events()) {
        const auto* revoked = std::get_if<TxVerdictRevoked>(&logged.event.body);
        if (logged.event.tx == tx && revoked != nullptr) told.push_back(*revoked);
    }
    return told;
}

std::vector<std::string> history_of(LaneScenario& scenario, TxId tx) {
    std::vector<std::string> details;
    for (const auto& entry : scenario.history(tx))
        details.push_back(entry.step.detail);
    return details;
}

std::uint64_t times_noted(LaneScenario& scenario, TxId tx, std::string_view part) {
    std::uint64_t times = 0;
    for (const auto& entry : scenario.history(tx))
        if (entry.step.detail.contains(part)) times += entry.times;
    return times;
}

TEST(LaneRemovedVerdict, Failure46BumpsWhenTheBaseFeePassedItsMaximum) {
    LaneScenario scenario(DeepReorgs{bumping()});
    const auto ids = confirm_and_remove(scenario, 2);
    raise_base_fee(scenario, 30);
    const auto later = scenario.accept(scenario.alice);
    scenario.set_mining(true);
    ASSERT_TRUE(run_until_all_mined(scenario)) << scenario.log.text();
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(later), State::confirmed);
    for (const auto tx : ids) {
        EXPECT_EQ(scenario.view(tx).position, (Position{State::confirmed, SubState::none}));
        const auto attempts = scenario.attempts(tx);
        ASSERT_GE(attempts.size(), 2U);
        EXPECT_EQ(attempts.back().kind, AttemptKind::bump);
        EXPECT_EQ(scenario.view(tx).receipt->hash, attempts.back().hash);
    }
    EXPECT_TRUE(revocations_of(scenario, ids[0]).empty());
    scenario.expect_lawful();
}

TEST(LaneRemovedVerdict, Failure46SpeedUpWorksIfBumpsAreOff) {
    LaneScenario scenario{DeepReorgs()};
    const auto tx = confirm_and_remove(scenario, 1).at(0);
    raise_base_fee(scenario, 30);
    const auto later = scenario.accept(scenario.alice);
    scenario.set_mining(true);
    scenario.run_for(3min);
    EXPECT_EQ(scenario.view(tx).position, removed_while_confirmed);
    EXPECT_EQ(kinds_of(scenario, tx), std::vector{AttemptKind::original});
    EXPECT_FALSE(scenario.view(later).receipt) << "it waits behind the removed one";

    scenario.post(CommandKind::speed_up, tx);
    ASSERT_TRUE(run_until_all_mined(scenario)) << scenario.log.text();
    EXPECT_THAT(kinds_of(scenario, tx), ElementsAre(AttemptKind::original, AttemptKind::bump));
    EXPECT_TRUE(scenario.pending_commands().empty());
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.view(tx).position, (Position{State::confirmed, SubState::none}));
    scenario.expect_lawful();
}

TEST(LaneRemovedVerdict, Failure46ResubmitCommandResendsAtOnce) {
    auto options = resends_soon;
    options.resubmit_interval = 10min;
    LaneScenario scenario(DeepReorgs{options});
    const auto tx = confirm_and_remove(scenario, 1).at(0);
    scenario.run_for(5s);
    const auto hash = *scenario.view(tx).hash;
    const auto before = scenario.times_sent(hash);
    scenario.post(CommandKind::resubmit, tx);
    scenario.run_for(5s);
    EXPECT_EQ(scenario.times_sent(hash), before + 1);
    EXPECT_EQ(scenario.view(tx).position, removed_while_confirmed);
    scenario.set_mining(true);
    ASSERT_TRUE(run_until_all_mined(scenario));
    scenario.expect_lawful();
}

TEST(LaneRemovedVerdict, Failure46ResendsAtTheFeeCapWithOneAlert) {
    auto options = bumping();
    options.fee_cap = Wei(Uint256(4 * gwei));
    LaneScenario scenario(DeepReorgs{options});
    const auto tx = confirm_and_remove(scenario, 1).at(0);
    raise_base_fee(scenario, 30);
    scenario.run_for(2min);
    const auto attempts = scenario.attempts(tx);
    const auto sent = scenario.times_sent(attempts.back().hash);
    EXPECT_EQ(scenario.alerts.of(AlertKind::fee_capped).size(), 1U) << "also without a command";
    EXPECT_EQ(times_noted(scenario, tx, "not possible: the minimum fee exceeds the cap"), 1U);
    scenario.post(CommandKind::speed_up, tx);
    scenario.run_for(3min);
    EXPECT_EQ(times_noted(scenario, tx, "not possible: the minimum fee exceeds the cap"), 2U);
    EXPECT_EQ(scenario.attempts(tx).size(), attempts.size());
    EXPECT_GT(scenario.times_sent(attempts.back().hash), sent);
    EXPECT_EQ(scenario.alerts.of(AlertKind::fee_capped).size(), 1U);
    EXPECT_TRUE(scenario.pending_commands().empty()) << "the command is completed: the cap forbids it";
    EXPECT_EQ(scenario.view(tx).position, removed_while_confirmed);
    raise_base_fee(scenario, 1);
    scenario.set_mining(true);
    ASSERT_TRUE(run_until_all_mined(scenario));
    EXPECT_THAT(kinds_of(scenario, tx), Not(Contains(AttemptKind::filler)));
    scenario.expect_lawful();
}

TEST(LaneRemovedVerdict, Failure46CancelSendsAGapFillerAndRevokesTheVerdict) {
    LaneScenario scenario{DeepReorgs()};
    const auto ids = confirm_and_remove(scenario, 2);
    const auto tx = ids[0];
    const auto original = *scenario.view(tx).hash;
    scenario.post(CommandKind::cancel, tx);
    ASSERT_TRUE(run_until_revoked(scenario, tx)) << scenario.log.text();
    EXPECT_TRUE(scenario.pending_commands().empty());
    EXPECT_EQ(scenario.view(tx).position, removed_while_confirmed) << "the state never changes";
    const auto told = revocations_of(scenario, tx);
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].verdict, State::confirmed);
    EXPECT_THAT(told[0].reason, HasSubstr("by test: asked"));

    const auto sent = scenario.times_sent(original);
    scenario.post(CommandKind::cancel, tx);  // it is done already
    scenario.run_for(5min);
    EXPECT_EQ(scenario.times_sent(original), sent) << "only the gap filler goes out";
    EXPECT_TRUE(scenario.pending_commands().empty());
    auto kinds = kinds_of(scenario, tx);
    ASSERT_GT(kinds.size(), 2U) << "a gap filler that is not mined is bumped, also where bumps are off";
    kinds.erase(kinds.begin());
    EXPECT_THAT(kinds, Each(AttemptKind::filler));

    scenario.set_mining(true);
    ASSERT_TRUE(run_until_all_mined(scenario));
    const auto later = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(later), State::confirmed);
    EXPECT_EQ(scenario.view(tx).position, (Position{State::confirmed, SubState::none}));
    EXPECT_EQ(revocations_of(scenario, tx).size(), 1U) << "told once";
    EXPECT_TRUE(revocations_of(scenario, ids[1]).empty());
    EXPECT_THAT(history_of(scenario, tx), Contains(HasSubstr("mined as requested by an operator")));
    EXPECT_FALSE(scenario.log.has(Severity::alert, "different outcome")) << "it is what was requested";
    scenario.expect_lawful();
}

TEST(LaneRemovedVerdict, Failure46RevocationIsCommittedWithTheGapFiller) {
    LaneScenario scenario{DeepReorgs()};
    scenario.network.mine(30);
    auto& node = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    remove_settled(scenario);
    scenario.post(CommandKind::cancel, tx);
    ASSERT_TRUE(run_until_revoked(scenario, tx));
    std::size_t found = 0;
    for (const auto& [write, answer] : node.store().written()) {
        for (const auto& update : write.transactions) {
            const bool fills = std::ranges::count(update.attempts, AttemptKind::filler, &Attempt::kind) > 0;
            const bool tells = std::ranges::any_of(
                update.events, [](const auto& event) { return std::holds_alternative<TxVerdictRevoked>(event); });
            EXPECT_EQ(fills && update.abandonment == Abandonment::revoked, tells);
            if (!tells) continue;
            ++found;
            EXPECT_EQ(write.commands_done.size(), 1U);
        }
    }
    EXPECT_EQ(found, 1U);
}

TEST(LaneRemovedVerdict, Failure46AlertsIfTheIntentIsMinedAfterTheRevocation) {
    LaneScenario scenario{DeepReorgs()};
    const auto tx = confirm_and_remove(scenario, 1).at(0);
    const auto original = scenario.attempts(tx).at(0);
    scenario.post(CommandKind::cancel, tx);
    ASSERT_TRUE(run_until_revoked(scenario, tx));
    const auto& ours = *scenario.network.ledger().cache().decode(original.raw).decoded;
    scenario.network.mine();
    scenario.network.reorg({.depth = 1, .fate = sim::Reorg::Fate::dropped, .instead = {ours}});
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until([&] {
        const auto view = scenario.view(tx);
        return view.receipt && view.receipt->hash == original.hash;
    })) << scenario.log.text();
    EXPECT_TRUE(scenario.log.has(Severity::alert, "although its verdict was revoked")) << scenario.log.text();
    EXPECT_THAT(history_of(scenario, tx), Contains(HasSubstr("was revoked, and the intent was mined")));
    scenario.expect_lawful();
}

TEST(LaneRemovedVerdict, Failure46OnlyACommandReplacesTheIntent) {
    lane::AlwaysDecide fills(StuckDecision::filler);
    auto options = bumping();
    options.transaction_timeout = 20s;
    options.fail_on_timeout = true;
    options.stuck_after = 20s;
    options.resubmit.max_attempts = 2;
    options.reconcile_interval = 5s;
    for (const bool new_owner : {false, true}) {
        SCOPED_TRACE(new_owner);
        DeepReorgs setup(options);
        setup.stuck_policy = &fills;
        LaneScenario scenario(setup);
        scenario.network.mine(30);
        auto& first = scenario.start("a");
        const auto tx = scenario.accept(scenario.alice);
        ASSERT_TRUE(scenario.run_until_settled());
        remove_settled(scenario);
        scenario.one.refuse_sends(sim::Verdict{SendOutcome::rejected, "no"});
        scenario.two.refuse_sends(sim::Verdict{SendOutcome::rejected, "no"});
        if (new_owner) {
            scenario.kill(first);
            scenario.run_for(11s);
            scenario.start("b");
        }
        scenario.run_for(5min);
        EXPECT_EQ(scenario.view(tx).position, removed_while_confirmed);
        EXPECT_THAT(kinds_of(scenario, tx), Not(Contains(AttemptKind::filler)));
        scenario.one.refuse_sends(std::nullopt);
        scenario.two.refuse_sends(std::nullopt);
        scenario.set_mining(true);
        ASSERT_TRUE(run_until_all_mined(scenario)) << scenario.log.text();
        EXPECT_TRUE(revocations_of(scenario, tx).empty());
        scenario.expect_lawful();
    }
}

TEST(LaneRemovedVerdict, Failure46BumpsTheGapFillerOfACancelledTransaction) {
    LaneScenario scenario{DeepReorgs()};
    scenario.network.mine(30);
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_tracking(scenario, tx));
    scenario.post(CommandKind::cancel, tx);
    ASSERT_TRUE(run_until_attempts(scenario, tx, 2));
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    ASSERT_EQ(scenario.state(tx), State::cancelled);
    remove_settled(scenario);
    raise_base_fee(scenario, 30);
    scenario.post(CommandKind::cancel, tx);
    scenario.set_mining(true);
    ASSERT_TRUE(run_until_all_mined(scenario)) << scenario.log.text();
    EXPECT_TRUE(scenario.pending_commands().empty());
    EXPECT_EQ(scenario.view(tx).position, (Position{State::cancelled, SubState::none}));
    EXPECT_EQ(scenario.view(tx).abandonment, Abandonment::cancelled);
    EXPECT_TRUE(revocations_of(scenario, tx).empty()) << "the verdict that it did not run still holds";
    auto kinds = kinds_of(scenario, tx);
    EXPECT_GT(kinds.size(), 2U);
    kinds.erase(kinds.begin());
    EXPECT_THAT(kinds, Each(AttemptKind::filler));
    scenario.expect_lawful();
}

TEST(LaneRemovedVerdict, Failure46BumpsARevertedIntentAndCancelRevokes) {
    for (const bool cancels : {false, true}) {
        SCOPED_TRACE(cancels);
        LaneScenario scenario{DeepReorgs(bumping())};
        Address contract;
        contract.data.fill(7);
        scenario.network.ledger().add_contract(contract, sim::always_reverts("no"));
        scenario.network.mine(30);
        scenario.start("a");
        auto call = LaneScenario::call(contract);
        call.gas_limit = Gas(100'000);
        const auto tx = scenario.accept(scenario.alice, call);
        ASSERT_TRUE(scenario.run_until_settled());
        ASSERT_EQ(scenario.state(tx), State::failed_final);
        remove_settled(scenario);
        raise_base_fee(scenario, 30);
        if (cancels) scenario.post(CommandKind::cancel, tx);
        scenario.set_mining(true);
        ASSERT_TRUE(run_until_all_mined(scenario)) << scenario.log.text();
        const auto attempts = scenario.attempts(tx);
        EXPECT_EQ(attempts.back().kind, cancels ? AttemptKind::filler : AttemptKind::bump);
        EXPECT_EQ(scenario.view(tx).receipt->succeeded, cancels);
        EXPECT_EQ(scenario.state(tx), State::failed_final);
        EXPECT_EQ(revocations_of(scenario, tx).size(), cancels ? 1U : 0U);
        scenario.expect_lawful();
    }
}

// Abandoned and executed all the same: after a reorg the intent is mined again.
TEST(LaneRemovedVerdict, Failure46BumpsTheIntentExecutedDespiteACancel) {
    LaneScenario scenario{DeepReorgs(bumping())};
    scenario.network.mine(30);
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(run_until_tracking(scenario, tx));
    const auto original = scenario.attempts(tx).at(0);
    scenario.post(CommandKind::cancel, tx);
    ASSERT_TRUE(run_until_attempts(scenario, tx, 2));
    const auto& ours = *scenario.network.ledger().cache().decode(original.raw).decoded;
    scenario.network.mine();
    scenario.network.reorg({.depth = 1, .fate = sim::Reorg::Fate::dropped, .instead = {ours}});
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    ASSERT_EQ(scenario.state(tx), State::confirmed);
    EXPECT_EQ(scenario.view(tx).abandonment, Abandonment::none);
    remove_settled(scenario);
    raise_base_fee(scenario, 30);
    scenario.set_mining(true);
    ASSERT_TRUE(run_until_all_mined(scenario)) << scenario.log.text();
    EXPECT_EQ(scenario.attempts(tx).back().kind, AttemptKind::bump);
    EXPECT_TRUE(revocations_of(scenario, tx).empty());
    scenario.expect_lawful();
}

TEST(LaneRemovedVerdict, Failure46SpeedUpAndCancelWorkWithAConnector) {
    for (const auto kind : {CommandKind::speed_up, CommandKind::cancel}) {
        SCOPED_TRACE(name_of(kind));
        DeepReorgs setup;
        setup.connector = ConnectorAbilities{};
        LaneScenario scenario(setup);
        const auto tx = confirm_and_remove(scenario, 1).at(0);
        raise_base_fee(scenario, 30);
        scenario.post(kind, tx);
        scenario.set_mining(true);
        ASSERT_TRUE(run_until_all_mined(scenario)) << scenario.log.text();
        const bool cancels = kind == CommandKind::cancel;
        EXPECT_EQ(scenario.attempts(tx).back().kind, cancels ? AttemptKind::filler : AttemptKind::bump);
        EXPECT_EQ(revocations_of(scenario, tx).size(), cancels ? 1U : 0U);
        EXPECT_EQ(scenario.view(tx).position, (Position{State::confirmed, SubState::none}));
        scenario.expect_lawful();
    }
}

// The first node crashes at each effect between the command and the block; the second one finds the command, or what
// was recorded for it.
void expect_command_survives(CommandKind kind) {
    std::size_t first_point = 0;
    std::size_t points = 0;
    for (std::size_t point = 0; point == 0 || point < points; ++point) {
        LaneScenario scenario{DeepReorgs()};
        scenario.network.mine(30);
        auto& first = scenario.start("a");
        const auto tx = scenario.accept(scenario.alice);
        ASSERT_TRUE(scenario.run_until_settled());
        remove_settled(scenario);
        raise_base_fee(scenario, 30);
        scenario.run_for(1s);
        first_point = scenario.points.passed().size();
        const bool counts = point == 0;
        if (!counts) scenario.points.crash_at(first_point + point - 1, [&] { scenario.kill(first); });
        scenario.post(kind, tx);
        scenario.set_mining(true);
        if (!counts) {
            ASSERT_TRUE(scenario.run_until([&] { return !first.process().is_alive(); }));
            SCOPED_TRACE("dies at " + scenario.points.passed().at(first_point + point - 1));
            scenario.start("b");
        }
        ASSERT_TRUE(run_until_all_mined(scenario)) << point << scenario.log.text();
        if (counts) points = scenario.points.passed().size() - first_point;
        const bool cancels = kind == CommandKind::cancel;
        EXPECT_EQ(scenario.attempts(tx).back().kind, cancels ? AttemptKind::filler : AttemptKind::bump) << point;
        EXPECT_EQ(revocations_of(scenario, tx).size(), cancels ? 1U : 0U) << point;
        ASSERT_TRUE(scenario.run_until([&] { return scenario.pending_commands().empty(); })) << point;
        EXPECT_EQ(scenario.view(tx).position, (Position{State::confirmed, SubState::none})) << point;
        scenario.expect_lawful();
        if (::testing::Test::HasFailure()) return;
    }
    EXPECT_GT(points, 4U) << "there are effects in between";
}

TEST(LaneRemovedVerdict, Failure46CancelSurvivesACrashAnywhere) { expect_command_survives(CommandKind::cancel); }
TEST(LaneRemovedVerdict, Failure46SpeedUpSurvivesACrashAnywhere) { expect_command_survives(CommandKind::speed_up); }

}  // namespace
}  // namespace fencepost::scenario
