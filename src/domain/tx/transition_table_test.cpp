#include "domain/tx/transition_table.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fencepost {
namespace {

std::vector<Trigger> all_triggers() {
    std::vector<Trigger> triggers;
    for (const auto& [trigger, name] : enum_names<Trigger>)
        triggers.push_back(trigger);
    return triggers;
}

std::set<Position> reachable_from(Position start) {
    std::set<Position> seen{start};
    std::vector<Position> todo{start};
    while (!todo.empty()) {
        const auto position = todo.back();
        todo.pop_back();
        for (const auto& row : allowed_moves()) {
            if (row.from == position && seen.insert(row.to).second) todo.push_back(row.to);
        }
    }
    return seen;
}

std::string read_document(const std::string& path) {
    const std::ifstream file(std::string(FENCEPOST_SOURCE_DIR) + "/" + path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// ST01: any sequence of triggers moves a transaction only along the table.
RC_GTEST_PROP(TransitionTableProperty, NoTriggerSequenceLeavesTheTable, ()) {
    const auto allowed = reachable_from({});
    Position position;
    const auto events = *rc::gen::container<std::vector<Trigger>>(rc::gen::elementOf(all_triggers()));
    for (const auto trigger : events) {
        const auto before = position;
        const auto next = move(position, trigger);
        if (!next) {
            RC_ASSERT(next.error().from == before);
            continue;
        }
        position = *next;
        RC_ASSERT(allowed.contains(position));
        if (is_final(before.state)) RC_ASSERT(position.state == before.state);
        if (position.state == State::confirmed && before.state != State::confirmed) {
            RC_ASSERT((before == Position{State::tracking, SubState::mined}));
        }
    }
}

TEST(TransitionTable, HasOneTargetPerTrigger) {
    std::set<std::pair<Position, Trigger>> seen;
    for (const auto& row : allowed_moves()) {
        EXPECT_TRUE(seen.insert({row.from, row.trigger}).second) << fmt::format("{} {}", row.from, row.trigger);
    }
}

TEST(TransitionTable, CanMoveMatchesTheTriggers) {
    for (const auto& row : allowed_moves())
        EXPECT_TRUE(is_allowed_move(row.from, row.to)) << fmt::format("{} {}", row.from, row.to);
    EXPECT_FALSE(is_allowed_move({State::queued, SubState::none}, {State::confirmed, SubState::none}));
    EXPECT_FALSE(is_allowed_move({State::confirmed, SubState::none}, {State::failed_final, SubState::none}));
    EXPECT_FALSE(is_allowed_move({State::queued, SubState::none}, {State::queued, SubState::none}))
        << "no transition to the same position";
    EXPECT_TRUE(is_allowed_move({State::tracking, SubState::mined}, {State::tracking, SubState::mined}));
}

TEST(TransitionTable, EveryRowStartsAtAReachablePosition) {
    const auto reachable = reachable_from({});
    for (const auto& row : allowed_moves())
        EXPECT_TRUE(reachable.contains(row.from)) << fmt::format("{}", row.from);
}

TEST(TransitionTable, EveryStateSubStateAndTriggerIsUsed) {
    std::set<State> states;
    std::set<SubState> subs;
    std::set<Trigger> triggers;
    for (const auto& position : reachable_from({})) {
        states.insert(position.state);
        subs.insert(position.sub);
    }
    for (const auto& row : allowed_moves())
        triggers.insert(row.trigger);
    EXPECT_EQ(states.size(), enum_names<State>.size());
    EXPECT_EQ(subs.size(), enum_names<SubState>.size());
    EXPECT_EQ(triggers.size(), enum_names<Trigger>.size());
}

TEST(TransitionTable, EveryPositionCanReachAVerdict) {
    for (const auto& start : reachable_from({})) {
        const auto ahead = reachable_from(start);
        EXPECT_TRUE(std::ranges::any_of(ahead, [](Position p) { return is_final(p.state); }))
            << fmt::format("{}", start);
    }
}

TEST(TransitionTable, VerdictNeverChanges) {
    for (const auto& row : allowed_moves()) {
        if (is_final(row.from.state)) EXPECT_EQ(row.to.state, row.from.state) << fmt::format("{}", row.from);
    }
}

// Laws 4 and 5: with an allocated nonce, only a receipt or the external consumption of the nonce ends a transaction.
TEST(TransitionTable, AllocatedNonceSettlesOnlyByReceiptOrExternalTx) {
    for (const auto& row : allowed_moves()) {
        const bool settles = !is_final(row.from.state) && is_final(row.to.state);
        if (!settles || row.from.state == State::queued || row.trigger == Trigger::recycle) continue;
        EXPECT_TRUE(row.from.sub == SubState::mined || row.to.sub == SubState::nonce_taken)
            << fmt::format("{}", row.from);
    }
}

TEST(TransitionTable, MinedTransactionIsNeitherResentNorAbandoned) {
    const Position mined{State::tracking, SubState::mined};
    for (const auto trigger : {Trigger::resubmit, Trigger::abandon, Trigger::nonce_taken, Trigger::give_up}) {
        EXPECT_FALSE(move(mined, trigger)) << name_of(trigger);
    }
}

TEST(TransitionTable, AfterACancelOnlyTheGapFillerIsResent) {
    const auto cancelling = move({State::tracking, SubState::none}, Trigger::abandon).value();
    EXPECT_EQ(cancelling, (Position{State::tracking, SubState::cancelling}));
    EXPECT_EQ(move(cancelling, Trigger::resubmit).value(), cancelling);
    EXPECT_EQ(move(cancelling, Trigger::send_accepted).value(), cancelling);
    EXPECT_FALSE(move(cancelling, Trigger::abandon)) << "a second cancel changes nothing";
}

// ST02: UNKNOWN_SUBMIT_RESULT with its moves to tracking, to failure and to a person.
TEST(TransitionTable, GreyZoneEndsByEvidenceOrByAnOperator) {
    const auto grey = move({State::allocated, SubState::none}, Trigger::submit_unknown).value();
    EXPECT_EQ(grey.state, State::unknown_submit_result);
    EXPECT_EQ(move(grey, Trigger::submission_found).value().state, State::tracking);
    EXPECT_EQ(move(grey, Trigger::external_tx_final).value(), (Position{State::failed_final, SubState::nonce_taken}));
    EXPECT_EQ(move(grey, Trigger::nonce_taken).value(), (Position{State::stuck, SubState::nonce_taken}));
    EXPECT_EQ(move(grey, Trigger::give_up).value(), (Position{State::stuck, SubState::timeout}));
    EXPECT_FALSE(move(grey, Trigger::resubmit))
        << "sending again what may have been sent under an unknown hash pays twice";
}

TEST(TransitionTable, ResubmitAndTimeOutAreSubStates) {
    const Position tracking{State::tracking, SubState::none};
    EXPECT_EQ(move(tracking, Trigger::resubmit).value(), (Position{State::tracking, SubState::stale}));
    EXPECT_EQ(move(tracking, Trigger::time_out).value(), (Position{State::tracking, SubState::timeout}));
    EXPECT_EQ(move({}, Trigger::time_out).value(), (Position{State::cancelled, SubState::timeout}));
}

TEST(TransitionTable, IllegalMoveNamesPositionAndTrigger) {
    EXPECT_EQ(move({State::confirmed, SubState::none}, Trigger::allocate).error().what(),
              "allocate is not allowed in CONFIRMED");
}

TEST(TransitionTable, NamesRoundTrip) {
    for (const auto& [state, name] : enum_names<State>)
        EXPECT_EQ(value_of<State>(name), state);
    for (const auto& [sub, name] : enum_names<SubState>)
        EXPECT_EQ(value_of<SubState>(name), sub);
    EXPECT_FALSE(value_of<State>("queued"));
}

TEST(TransitionTable, DocumentShowsThisTable) {
    const auto document = read_document("docs/reference/states.md");
    EXPECT_NE(document.find("```mermaid\n" + to_mermaid() + "```"), std::string::npos)
        << "docs/reference/states.md is stale; its diagram should be:\n"
        << to_mermaid();
}

TEST(TransitionTable, DocumentExplainsEveryStateSubStateAndTrigger) {
    const auto document = read_document("docs/reference/states.md");
    const auto mentions = [&document](std::string_view name) {
        return name.empty() || document.find(fmt::format("| `{}` |", name)) != std::string::npos;
    };
    for (const auto& [state, name] : enum_names<State>)
        EXPECT_TRUE(mentions(name)) << name;
    for (const auto& [sub, name] : enum_names<SubState>)
        EXPECT_TRUE(mentions(name)) << name;
    for (const auto& [trigger, name] : enum_names<Trigger>)
        EXPECT_TRUE(mentions(name)) << name;
}

// ST07: every state name that a seed uses has a row "| `NAME` | seeds | `OURS` … |" that leads to a state of ours.
TEST(TransitionTable, DocumentMapsEveryRequiredStateName) {
    const auto section = read_document("docs/internals/state-names.md");
    for (const auto* name : {"Pending",
                             "PENDING",
                             "Created",
                             "QUEUED",
                             "Allocated",
                             "ALLOCATED",
                             "IN_FLIGHT",
                             "INFLIGHT",
                             "Tracking",
                             "TRACKING",
                             "Stale",
                             "Timeout",
                             "Confirmed",
                             "CONFIRMED",
                             "Failed",
                             "FAILED",
                             "FAILED_FINAL",
                             "STUCK",
                             "UNKNOWN_SUBMIT_RESULT",
                             "IDLE",
                             "PROTECT",
                             "RESERVED",
                             "USED",
                             "RECYCLABLE"}) {
        const auto row_start = section.find(fmt::format("\n| `{}` |", name));
        ASSERT_NE(row_start, std::string::npos) << name;
        const auto row = section.substr(row_start + 1, section.find('\n', row_start + 1) - row_start - 1);
        const auto ours = row.substr(row.find('|', row.find('|', 1) + 1));
        EXPECT_NE(ours.find('`'), std::string::npos) << name << " is mapped to nothing";
    }
}

}  // namespace
}  // namespace fencepost
