// Each part of a lane's write lands in its column and is read back by the lane, the outbox and the API queries.
#include <gtest/gtest.h>

#include "store/sqlite/test_store.hpp"

namespace fencepost::store::sqlite {
namespace {

class SqliteLaneWrite : public StoreTest {
protected:
    void SetUp() override {
        fence_ = open(*store_);
        tx_ = accept(*store_, 1);
        ASSERT_EQ(write(*store_, allocation(fence_, tx_, Nonce(0))), WriteAnswer::applied);
    }

    WriteAnswer update(TxUpdate update) {
        update.tx = tx_;
        update.expected = view().position;
        return write(*store_, {.submitter = alice, .fence = fence_, .transactions = {std::move(update)}});
    }
    TxView view() { return run(store_->by_id(tx_)).value().value(); }

    static constexpr Position tracking{State::tracking, SubState::none};
    static constexpr Position mined{State::tracking, SubState::mined};

    std::unique_ptr<SqliteStore> store_ = store();
    Fence fence_;
    TxId tx_;
};

TEST_F(SqliteLaneWrite, CountsAndDatesSends) {
    const auto first = now_.load();
    ASSERT_EQ(update({.to = tracking, .sends = 2, .next_action_in = 60s}), WriteAnswer::applied);
    now_ = first + 1s;
    ASSERT_EQ(update({.to = tracking, .sends = 1, .receipt_missing = true, .error = "slow"}), WriteAnswer::applied);
    const auto seen = view();
    EXPECT_EQ(seen.submit_attempts, 3U);
    EXPECT_EQ(seen.first_submit_at, first);
    EXPECT_EQ(seen.last_submit_at, first + 1s);
    EXPECT_EQ(seen.next_action_at, first + 60s);
    EXPECT_EQ(seen.last_receipt_check, first + 1s);
    EXPECT_EQ(seen.error, "slow");
    EXPECT_EQ(seen.fencing_token, fence_.token);
    ASSERT_EQ(update({.to = tracking, .error = ""}), WriteAnswer::applied);
    EXPECT_EQ(view().error, "");
    EXPECT_EQ(view().submit_attempts, 3U);
}

TEST_F(SqliteLaneWrite, HashIsOfMinedElseLatestAttempt) {
    EXPECT_EQ(view().hash, hash(1));
    ASSERT_EQ(update({.to = tracking, .attempts = {{.kind = AttemptKind::bump, .hash = hash(7)}}}),
              WriteAnswer::applied);
    EXPECT_EQ(view().hash, hash(7));
    const Receipt receipt{.hash = hash(1), .block_number = BlockNumber(5), .succeeded = true};
    ASSERT_EQ(update({.to = mined, .receipt = receipt}), WriteAnswer::applied);
    EXPECT_EQ(view().hash, hash(1));
    EXPECT_EQ(view().receipt, receipt);
    ASSERT_EQ(update({.to = mined, .attempts = {{.kind = AttemptKind::bump, .hash = hash(8)}}}), WriteAnswer::applied);
    EXPECT_EQ(view().hash, hash(1)) << "a late attempt does not hide the mined one";
    EXPECT_EQ(run(store_->load(alice)).value().watched.at(0).receipt, receipt);
    ASSERT_EQ(update({.to = {State::tracking, SubState::forked}, .receipt = RollBackReceipt{}}), WriteAnswer::applied);
    EXPECT_EQ(view().receipt, std::nullopt);
    EXPECT_EQ(view().hash, hash(8));
    EXPECT_EQ(run(store_->by_hash(hash(7))).value()->id, tx_);
    EXPECT_EQ(run(store_->attempts(tx_)).value().size(), 3U);
}

TEST_F(SqliteLaneWrite, SettlingKeepsConfirmationsAndTime) {
    ASSERT_EQ(update({.to = mined, .receipt = Receipt{.hash = hash(1)}}), WriteAnswer::applied);
    const std::vector<BlockRef> blocks{{BlockNumber(6), {}, {}}};
    const auto settled_at = now_.load();
    ASSERT_EQ(update({.to = {State::confirmed}, .confirmations = blocks, .events = {TxConfirmed{blocks, false}}}),
              WriteAnswer::applied);
    now_ = settled_at + 1s;
    ASSERT_EQ(update({.to = {State::confirmed, SubState::forked}, .abandonment = Abandonment::refused}),
              WriteAnswer::applied);
    EXPECT_EQ(view().confirmed_at, settled_at);
    EXPECT_EQ(view().abandonment, Abandonment::refused);
    EXPECT_EQ(run(store_->stored_confirmations(tx_)).value(), blocks);
    EXPECT_EQ(run(store_->unfinished_submitters()).value().at(0).submitter, alice);
    EXPECT_EQ(run(store_->load(alice)).value().watched.size(), 1U) << "watched until it is finalized (failure 26)";
    ASSERT_EQ(write(*store_, {.submitter = alice, .fence = fence_, .watch_from = Nonce(1)}), WriteAnswer::applied);
    EXPECT_TRUE(run(store_->unfinished_submitters()).value().empty());
    EXPECT_TRUE(run(store_->load(alice)).value().watched.empty());
}

TEST_F(SqliteLaneWrite, NumbersEventsAndFoldsSteps) {
    for (int i = 0; i < 3; ++i) {
        now_ = now_.load() + 1s;
        ASSERT_EQ(update({.to = tracking, .history = {{HistoryKind::resubmitted, "a"}}}), WriteAnswer::applied);
    }
    ASSERT_EQ(update({.to = tracking, .events = {TxFailed{"x"}}, .history = {{HistoryKind::resubmitted, "a"}}}),
              WriteAnswer::applied);
    const auto steps = run(store_->history(tx_)).value();
    ASSERT_EQ(steps.size(), 4U) << "accepted, allocated, three resends in one, and one after the event";
    EXPECT_EQ(steps[2].step, (HistoryStep{HistoryKind::resubmitted, "a"}));
    EXPECT_EQ(steps[2].times, 3U);
    EXPECT_EQ(steps[2].last_at - steps[2].first_at, 2s);
    EXPECT_EQ(steps[2].node, node);
    EXPECT_EQ(steps[2].token, fence_.token);

    const auto events = run(store_->read_after({}, 10)).value();
    ASSERT_EQ(events.size(), 3U);
    for (std::size_t i = 0; i < events.size(); ++i)
        EXPECT_EQ(events[i].event.sequence, EventSequence(i + 1));
    EXPECT_EQ(run(store_->read_after(events[1].position, 10)).value().size(), 1U);
}

TEST_F(SqliteLaneWrite, AllocatesNonceOnceAndMovesCursorByCompareAndSet) {
    const auto second = accept(*store_, 2);
    auto again = allocation(fence_, second, Nonce(0));
    again.cursor = std::nullopt;
    EXPECT_EQ(write(*store_, again), WriteAnswer::conflict) << "the nonce is allocated";
    EXPECT_EQ(write(*store_, allocation(fence_, second, Nonce(0))), WriteAnswer::conflict) << "a cursor exists";
    EXPECT_EQ(write(*store_, allocation(fence_, second, Nonce(4))), WriteAnswer::conflict) << "the cursor is at 1";
    EXPECT_EQ(write(*store_, allocation(fence_, second, Nonce(1))), WriteAnswer::applied);
    auto third = allocation(fence_, second, Nonce(2));
    third.transactions[0].expected = third.transactions[0].to = {State::allocated};
    EXPECT_EQ(write(*store_, third), WriteAnswer::conflict) << "the transaction has its nonce";
}

TEST_F(SqliteLaneWrite, LaneWritesCommandsAndStatus) {
    const auto pause = run(store_->post({{}, alice, CommandKind::pause, std::nullopt, "ops", ""})).value();
    const LaneWrite done{.submitter = alice,
                         .fence = fence_,
                         .status = StatusChange{SubmitterStatus::paused, "asked"},
                         .commands_done = {pause}};
    ASSERT_EQ(write(*store_, done), WriteAnswer::applied);
    EXPECT_TRUE(run(store_->pending(alice)).value().empty());
    EXPECT_EQ(write(*store_, done), WriteAnswer::conflict) << "the command is already done";
    const NewIntent late{TxId{}, alice, std::nullopt, {}};
    const auto refused = run(store_->accept({late})).value().at(0);
    EXPECT_EQ(refused.kind, AcceptKind::submitter_paused);
    EXPECT_EQ(refused.reason, "asked");
}

TEST_F(SqliteLaneWrite, BatchAnswersEachSubmitterSeparately) {
    const auto bob = SubmitterId::evm(2, {});
    const LaneWrite fenced{.submitter = bob, .fence = fence_};
    const LaneWrite fine{.submitter = alice, .fence = fence_};
    EXPECT_EQ(run(store_->write({fenced, fine, fine})).value(),
              (std::vector{WriteAnswer::fenced, WriteAnswer::applied, WriteAnswer::busy}));
}

}  // namespace
}  // namespace fencepost::store::sqlite
