// Requeueing an intent that lost its nonce to an external transaction: one new transaction, however often it is
// requested, linked both ways, and fenced like every write of a lane.
#include "domain/tx/requeue.hpp"

#include <gmock/gmock.h>

#include "base/async/task_group.hpp"
#include "store_fixture.hpp"

namespace fencepost::contract {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

constexpr Position taken{State::stuck, SubState::nonce_taken};
constexpr Position lost{State::failed_final, SubState::nonce_taken};

class RequeueContract : public StoreContract {
protected:
    Task<TxId> taken_from_outside(Fence fence) {
        const auto tx = co_await allocated(fence);
        EXPECT_EQ(co_await write(&store(), update(fence, {.tx = tx, .expected = allocated_position, .to = taken})),
                  WriteAnswer::applied);
        co_return tx;
    }
    Task<TxId> lost_for_good(Fence fence) {
        const auto tx = co_await taken_from_outside(fence);
        const TxUpdate verdict{.tx = tx, .expected = taken, .to = lost, .events = {TxFailed{"taken"}}};
        EXPECT_EQ(co_await write(&store(), update(fence, verdict)), WriteAnswer::applied);
        co_return tx;
    }
    LaneWrite requeue(const Fence& fence, const TxId& tx) {
        return update(fence, {.tx = tx,
                              .expected = lost,
                              .to = lost,
                              .requeue = "by ops",
                              .history = {{HistoryKind::requeued, "as another"}}});
    }
    Task<std::vector<std::string>> steps(TxId tx) {
        std::vector<std::string> names;
        for (const auto& entry : (co_await store().history(tx)).value())
            names.emplace_back(name_of(entry.step.kind));
        co_return names;
    }

    Task<void> linked_both_ways() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = co_await lost_for_good(fence);
        const auto waiting = (co_await accepted(1)).at(0);
        EXPECT_EQ(co_await write(&store(), requeue(fence, tx)), WriteAnswer::applied);
        const auto old_one = co_await view(tx);
        const auto new_one = co_await view(requeued_id(tx));
        EXPECT_EQ(old_one.requeued_as, new_one.id);
        EXPECT_EQ(old_one.requeued_from, std::nullopt);
        EXPECT_EQ(old_one.position, lost) << "a verdict never changes";
        EXPECT_EQ(new_one.requeued_from, tx);
        EXPECT_EQ(new_one.requeued_as, std::nullopt);
        EXPECT_EQ(new_one.position, queued);
        EXPECT_EQ(new_one.submitter, submitter_);
        EXPECT_EQ(new_one.intent, old_one.intent);
        EXPECT_EQ(new_one.nonce, std::nullopt);
        EXPECT_EQ(new_one.request, requeued_request(tx));
        EXPECT_EQ(new_one.fencing_token, fence.token);
        EXPECT_GE(new_one.created_at, old_one.created_at);
        const auto queue = (co_await store().head_of_queue(submitter_, AcceptSequence(0), 5)).value();
        EXPECT_EQ(queue.size(), 2U);
        EXPECT_EQ(queue.at(0).id, waiting) << "it overtakes no other transaction";
        EXPECT_EQ(queue.at(1).id, new_one.id);
        EXPECT_EQ(queue.at(1).intent, old_one.intent);
    }

    Task<void> told_in_history_and_events() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = co_await lost_for_good(fence);
        auto with_event = requeue(fence, tx);
        with_event.transactions.at(0).events = {TxFailed{"once more"}};
        EXPECT_EQ(co_await write(&store(), std::move(with_event)), WriteAnswer::applied);
        const auto id = requeued_id(tx);
        EXPECT_THAT(co_await steps(tx), ElementsAre("accepted", "requeued"));
        EXPECT_THAT(co_await steps(id), ElementsAre("accepted", "requeued"));
        EXPECT_EQ((co_await store().history(id)).value().at(1).step.detail, "by ops");
        EXPECT_EQ((co_await store().history(id)).value().at(1).token, fence.token);
        // Its events continue from there, in order and without a gap.
        EXPECT_EQ(co_await write(&store(), update(fence, {.tx = id,
                                                          .expected = queued,
                                                          .to = {State::cancelled, SubState::none},
                                                          .events = {TxFailed{"cancelled"}}})),
                  WriteAnswer::applied);
        std::vector<std::uint64_t> sequences;
        for (const auto& [position, event] : (co_await store().read_after({}, 100)).value()) {
            if (event.tx != id) continue;
            sequences.push_back(event.sequence.value());
            if (const auto* accepted = std::get_if<TxAccepted>(&event.body)) {
                EXPECT_EQ(accepted->submitter, submitter_);
                EXPECT_EQ(accepted->requeued_from, tx);
            }
        }
        EXPECT_THAT(sequences, ElementsAre(1U, 2U));
    }

    Task<void> once() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = co_await lost_for_good(fence);
        EXPECT_EQ(co_await write(&store(), requeue(fence, tx)), WriteAnswer::applied);
        EXPECT_EQ(co_await write(&store(), requeue(fence, tx)), WriteAnswer::conflict);
        EXPECT_THAT(co_await steps(tx), ElementsAre("accepted", "requeued")) << "a conflict writes nothing";
        EXPECT_EQ((co_await store().history(tx)).value().at(1).times, 1U);
        EXPECT_EQ((co_await store().list({})).value().size(), 2U);
    }

    Task<void> write_and_keep(Store* at, LaneWrite what, std::vector<WriteAnswer>* answers) {
        auto answer = co_await write(at, what);
        while (answer == WriteAnswer::busy) {
            co_await sleep(5ms);
            answer = co_await write(at, what);
        }
        answers->push_back(answer);
    }
    Task<void> once_also_when_many_try_at_once() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = co_await lost_for_good(fence);
        std::vector<WriteAnswer> answers;
        TaskGroup group(executor());
        for (int i = 0; i < 8; ++i)
            group.spawn(write_and_keep(i % 2 == 0 ? &store() : &other(), requeue(fence, tx), &answers));
        co_await group.join();
        EXPECT_EQ(std::ranges::count(answers, WriteAnswer::applied), 1);
        EXPECT_EQ(std::ranges::count(answers, WriteAnswer::conflict), 7);
        EXPECT_EQ((co_await store().list({})).value().size(), 2U);
    }

    Task<void> again_after_another_loss() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = co_await lost_for_good(fence);
        EXPECT_EQ(co_await write(&store(), requeue(fence, tx)), WriteAnswer::applied);
        const auto second = requeued_id(tx);
        EXPECT_EQ(co_await write(&store(), allocation(fence, second, 1)), WriteAnswer::applied);
        EXPECT_EQ(co_await write(&store(), update(fence, {.tx = second, .expected = allocated_position, .to = taken})),
                  WriteAnswer::applied);
        EXPECT_EQ(co_await write(&store(), update(fence, {.tx = second, .expected = taken, .to = lost})),
                  WriteAnswer::applied);
        EXPECT_EQ(co_await write(&store(), requeue(fence, second)), WriteAnswer::applied);
        EXPECT_EQ((co_await view(second)).requeued_from, tx);
        EXPECT_EQ((co_await view(second)).requeued_as, requeued_id(second));
        EXPECT_EQ((co_await view(requeued_id(second))).intent, (co_await view(tx)).intent);
    }

    Task<void> only_from_where_it_is_expected() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = co_await taken_from_outside(fence);
        EXPECT_EQ(co_await write(&store(), requeue(fence, tx)), WriteAnswer::conflict) << "not final yet";
        EXPECT_EQ((co_await store().list({})).value().size(), 1U);
    }

    Task<void> fenced() {
        const auto a = co_await opened(&store(), node_a_);
        const auto tx = co_await lost_for_good(a);
        co_await lapse(a);
        EXPECT_EQ(co_await write(&store(), requeue(a, tx)), WriteAnswer::fenced) << "expired, without a takeover";
        const auto b = co_await opened(&other(), node_b_);
        EXPECT_EQ(co_await write(&store(), requeue(a, tx)), WriteAnswer::fenced);
        EXPECT_EQ((co_await store().list({})).value().size(), 1U);
        EXPECT_EQ(co_await write(&other(), requeue(b, tx)), WriteAnswer::applied);
    }

    Task<void> also_while_protected() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = co_await lost_for_good(fence);
        EXPECT_EQ(co_await write(&store(), {.submitter = submitter_,
                                            .fence = fence,
                                            .status = StatusChange{SubmitterStatus::protect, "used outside"}}),
                  WriteAnswer::applied);
        EXPECT_EQ(co_await write(&store(), requeue(fence, tx)), WriteAnswer::applied);
        EXPECT_EQ((co_await view(requeued_id(tx))).position, queued);
    }

    Task<void> command_knows() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = co_await lost_for_good(fence);
        const Command wish{.submitter = submitter_, .kind = CommandKind::requeue, .tx = tx, .requested_by = "ops"};
        EXPECT_TRUE((co_await other().post(wish)).has_value());
        EXPECT_TRUE(
            (co_await other().post({.submitter = second_, .kind = CommandKind::requeue, .tx = tx})).has_value());
        auto pending = (co_await store().pending(submitter_)).value();
        EXPECT_EQ(pending.at(0).kind, CommandKind::requeue);
        EXPECT_EQ(pending.at(0).tx_position, lost);
        EXPECT_EQ(pending.at(0).requeued_as, std::nullopt);
        EXPECT_EQ(pending.at(0).queued_at, std::nullopt);
        EXPECT_EQ((co_await store().pending(second_)).value().at(0).tx_position, std::nullopt) << "not its transaction";
        EXPECT_EQ(co_await write(&store(), requeue(fence, tx)), WriteAnswer::applied);
        pending = (co_await store().pending(submitter_)).value();
        EXPECT_EQ(pending.at(0).requeued_as, requeued_id(tx));
    }

    Task<void> not_for_callers() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = co_await lost_for_good(fence);
        auto squatter = intent(7);
        squatter.request = requeued_request(tx);
        std::vector<NewIntent> batch;
        batch.push_back(std::move(squatter));
        EXPECT_EQ((co_await store().accept(std::move(batch))).value().at(0).kind, AcceptKind::invalid);
        EXPECT_EQ(co_await write(&store(), requeue(fence, tx)), WriteAnswer::applied);
        EXPECT_EQ((co_await store().by_request(submitter_, requeued_request(tx))).value()->id, requeued_id(tx));
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, RequeueContract, testing::ValuesIn(all_stores()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_P(RequeueContract, IsNewLinkedTransactionAtEndOfQueue) { run(linked_both_ways()); }
TEST_P(RequeueContract, IsRecordedInBothHistoriesAndEvents) { run(told_in_history_and_events()); }
TEST_P(RequeueContract, Failure29RequeuesOncePerLoss) { run(once()); }
TEST_P(RequeueContract, Failure29RequeuesOnceUnderConcurrency) { run(once_also_when_many_try_at_once()); }
TEST_P(RequeueContract, RequeuesAgainAfterAnotherLoss) { run(again_after_another_loss()); }
TEST_P(RequeueContract, Failure29NotBeforeLossIsFinal) { run(only_from_where_it_is_expected()); }
TEST_P(RequeueContract, IsFencedLikeEveryLaneWrite) { run(fenced()); }
TEST_P(RequeueContract, WorksWhileSubmitterIsProtected) { run(also_while_protected()); }
TEST_P(RequeueContract, CommandIncludesTransactionState) { run(command_knows()); }
TEST_P(RequeueContract, CallersCannotUseItsRequestId) { run(not_for_callers()); }

}  // namespace
}  // namespace fencepost::contract
