#include "lane/loop/turn.hpp"

#include <gtest/gtest.h>

#include "lane/test_ids.hpp"

namespace fencepost::lane {
namespace {

using test::some_submitter;

const Fence fence{NodeId("a"), FenceToken(1)};

Transaction tx_at(State state, SubState sub) {
    return {.id = TxId(Uuid{}), .submitter = some_submitter, .sequence = AcceptSequence(1), .position = {state, sub}};
}

Turn new_turn(SubmitterStatus status = SubmitterStatus::active) { return {some_submitter, fence, status}; }

TEST(Turn, CombinesTwoMovesIntoOneTransition) {
    auto turn = new_turn();
    auto& edit = turn.edit(tx_at(State::allocated, SubState::none));
    EXPECT_EQ(edit.move(Trigger::send_accepted), Moved::yes);
    EXPECT_EQ(edit.move(Trigger::receipt_found), Moved::yes);
    const auto write = turn.to_write();
    ASSERT_EQ(write.transactions.size(), 1U);
    EXPECT_EQ(write.transactions[0].expected, (Position{State::allocated, SubState::none}));
    EXPECT_EQ(write.transactions[0].to, (Position{State::tracking, SubState::mined}));
}

TEST(Turn, PostponesAMoveThatNeedsTwoTransitions) {
    auto turn = new_turn();
    auto& edit = turn.edit(tx_at(State::allocated, SubState::none));
    EXPECT_EQ(edit.move(Trigger::receipt_found), Moved::yes);
    EXPECT_EQ(edit.move(Trigger::final_success), Moved::later) << "the store would refuse ALLOCATED to CONFIRMED";
    EXPECT_EQ(edit.update.to, (Position{State::tracking, SubState::mined})) << "what was decided stays";

    turn.postpone(ReceiptsMissing{Nonce(1)});
    EXPECT_EQ(turn.take_postponed().size(), 1U);
    EXPECT_TRUE(turn.take_postponed().empty());
}

TEST(Turn, RejectsAnIllegalMove) {
    auto turn = new_turn();
    auto& edit = turn.edit(tx_at(State::confirmed, SubState::none));
    EXPECT_EQ(edit.move(Trigger::resubmit), Moved::never);
    EXPECT_EQ(edit.update.to, edit.update.expected);
}

TEST(Turn, ReturnsTheSameEditPerTransaction) {
    auto turn = new_turn();
    const auto tx = tx_at(State::tracking, SubState::none);
    turn.edit(tx).note(HistoryKind::mined);
    turn.edit(tx).note(HistoryKind::confirmed);
    ASSERT_EQ(turn.to_write().transactions.size(), 1U);
    EXPECT_EQ(turn.to_write().transactions[0].history.size(), 2U);
}

TEST(Turn, ReturnsTheSameUpdatePerSettledTransaction) {
    auto turn = new_turn();
    constexpr Position lost{State::failed_final, SubState::nonce_taken};
    turn.edit_settled(TxId(Uuid{}), lost).history.push_back({HistoryKind::diagnosed, "not yet"});
    EXPECT_FALSE(turn.empty());
    EXPECT_FALSE(turn.has_requeued(TxId(Uuid{})));
    turn.edit_settled(TxId(Uuid{}), lost).history.push_back({HistoryKind::requeued, "now"});
    turn.requeue(TxId(Uuid{}), "by ops");
    EXPECT_TRUE(turn.has_requeued(TxId(Uuid{})));
    const auto write = turn.to_write();
    ASSERT_EQ(write.transactions.size(), 1U);
    EXPECT_EQ(write.transactions[0].expected, lost);
    EXPECT_EQ(write.transactions[0].to, lost);
    EXPECT_EQ(write.transactions[0].requeue, "by ops");
    EXPECT_EQ(write.transactions[0].history.size(), 2U);
}

TEST(Turn, AlertKindFollowsThePosition) {
    auto turn = new_turn();
    turn.alert_operator(tx_at(State::stuck, SubState::nonce_taken), "another transaction was mined");
    ASSERT_EQ(turn.alerts().size(), 1U);
    EXPECT_EQ(turn.alerts()[0].kind, AlertKind::nonce_taken);
    EXPECT_EQ(turn.alerts()[0].submitter, some_submitter);
    EXPECT_TRUE(turn.alerts()[0].message.ends_with("another transaction was mined"));
    EXPECT_DEATH(turn.alert_operator(tx_at(State::tracking, SubState::none), "nothing"), "needs no operator");
}

TEST(Turn, IsEmptyUntilTheFirstDecision) {
    auto turn = new_turn();
    EXPECT_TRUE(turn.empty());
    turn.command_done(CommandSequence(1));
    EXPECT_FALSE(turn.empty());
}

TEST(Turn, PauseDoesNotReplaceProtect) {
    auto turn = new_turn(SubmitterStatus::protect);
    turn.set_status(SubmitterStatus::paused, "a transaction failed");
    EXPECT_FALSE(turn.to_write().status.has_value());

    auto both = new_turn();
    EXPECT_FALSE(both.stops_submitter());
    both.set_status(SubmitterStatus::protect, "foreign");
    both.set_status(SubmitterStatus::paused, "failed");
    EXPECT_TRUE(both.stops_submitter());
    EXPECT_EQ(both.to_write().status->status, SubmitterStatus::protect);
    EXPECT_EQ(both.to_write().status->reason, "foreign");
}

}  // namespace
}  // namespace fencepost::lane
