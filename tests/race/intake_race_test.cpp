// Races between unfenced writes (accepts, commands, events) and an owner's writes or readers.
#include <fmt/format.h>

#include "race_fixture.hpp"

namespace fencepost::race {
namespace {

class IntakeRace : public RaceTest {
protected:
    Task<AcceptAnswer> accept(NewIntent asked) { co_return (co_await other().accept(one(asked))).value().at(0); }

    Task<void> protect(Fence fence) {
        LaneWrite change{.submitter = submitter_, .fence = fence};
        change.status = StatusChange{SubmitterStatus::protect, "foreign nonce"};
        EXPECT_EQ(co_await write(&store(), std::move(change)), WriteAnswer::applied);
    }

    // The first accept of a request as its session executes it, not committed yet.
    Session first_accept_under_way(const NewIntent& asked) {
        auto backend = session();
        backend.run("BEGIN");
        backend.run(
            fmt::format("INSERT INTO managed_tx (tx_id, accept_sequence, submitter, request_id, fingerprint) "
                        "VALUES ('{}', nextval('accept_sequence'), '{}', '{}', (SELECT fingerprint FROM "
                        "managed_tx WHERE request_id = 'model'))",
                        asked.id.value().to_string(), asked.submitter.to_string(), asked.request->value()));
        backend.run(fmt::format("INSERT INTO tx_intent SELECT '{}', payload FROM tx_intent LIMIT 1",
                                asked.id.value().to_string()));
        return backend;
    }

    Task<void> known_before_protected() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto original = intent(submitter_, "r");
        EXPECT_EQ((co_await accept(original)).kind, AcceptKind::accepted);
        co_await protect(fence);
        const auto again = co_await accept(intent(submitter_, "r"));
        EXPECT_EQ(again.kind, AcceptKind::same_again) << "its answer was lost; it must not get a refusal";
        EXPECT_EQ(again.id, original.id);
        EXPECT_EQ((co_await accept(intent(submitter_, "new"))).kind, AcceptKind::submitter_protected);
    }

    // The original's commit is in flight when the submitter is PROTECTed and the client retries.
    Task<void> original_still_under_way(bool commits) {
        const auto fence = co_await opened(&store(), node_a_);
        EXPECT_EQ((co_await accept(intent(submitter_, "model"))).kind, AcceptKind::accepted);
        const auto original = intent(submitter_, "r");
        auto backend = first_accept_under_way(original);
        co_await protect(fence);
        TaskGroup group(executor());
        Answered<AcceptResult> retry;
        group.spawn(keep(other().accept(one(intent(submitter_, "r"))), &retry));
        co_await until_waiting(1);
        EXPECT_FALSE(retry.has_value()) << "whether the request is known is undecided yet";
        backend.run(commits ? "COMMIT" : "ROLLBACK");
        co_await group.join();
        const auto answer = retry->value().at(0);
        EXPECT_EQ(answer.kind, commits ? AcceptKind::same_again : AcceptKind::submitter_protected);
        if (commits) EXPECT_EQ(answer.id, original.id);
        EXPECT_EQ(value("SELECT count(*) FROM managed_tx WHERE request_id = 'r'"), commits ? "1" : "0");
        EXPECT_EQ(value("SELECT count(*) FROM managed_tx") + value("SELECT count(*) FROM tx_intent"),
                  commits ? "22" : "11");
    }

    Task<void> accept_while_protect_is_under_way() {
        const auto fence = co_await opened(&store(), node_a_);
        auto protecting = session();
        protecting.run("BEGIN");
        protecting.run(fmt::format("INSERT INTO submitter_status VALUES ('{}', 'PROTECT', 'x', 1, now())",
                                   submitter_.to_string()));
        const auto before = intent(submitter_, "before");
        EXPECT_EQ((co_await accept(before)).kind, AcceptKind::accepted) << "read without a lock: no wait";
        protecting.run("COMMIT");
        EXPECT_EQ((co_await accept(intent(submitter_, "after"))).kind, AcceptKind::submitter_protected);
        EXPECT_EQ((co_await accept(intent(submitter_, "before"))).kind, AcceptKind::same_again);
        const auto queue = (co_await store().head_of_queue(submitter_, AcceptSequence(0), 9)).value();
        EXPECT_EQ(queue.at(0).id, before.id) << "acknowledged intents are in the queue";
    }

    Command cancel(const TxId& tx) { return {.submitter = submitter_, .kind = CommandKind::cancel, .tx = tx}; }

    // The cancel draws its number first and commits last; the owner allocates and finishes a later command meanwhile.
    Task<void> cancel_crosses_allocation() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = (co_await accepted(1)).at(0);
        auto crossing = session();
        crossing.run("BEGIN");
        const auto sequence =
            crossing.run(fmt::format("INSERT INTO submitter_command (submitter, kind, tx_id, requested_by, reason) "
                                     "VALUES ('{}', 'cancel', '{}', "
                                     "'', '') RETURNING sequence",
                                     submitter_.to_string(), tx.value().to_string()));
        const auto later = (co_await other().post({.submitter = submitter_, .kind = CommandKind::resume})).value();
        auto allocating = allocation(fence, tx, 0);
        allocating.commands_done = {later};
        EXPECT_EQ(co_await write(&store(), std::move(allocating)), WriteAnswer::applied) << "no caller waits";
        EXPECT_TRUE((co_await store().pending(submitter_)).value().empty());
        crossing.run("COMMIT");
        const auto pending = (co_await store().pending(submitter_)).value();
        EXPECT_EQ(pending.size(), 1U);
        EXPECT_EQ(std::to_string(pending.at(0).sequence.value()), sequence.at(0).at(0));
        EXPECT_EQ(pending.at(0).tx, tx) << "the lane sees it, although the transaction has its nonce now";
    }

    // The mirror image: the allocation is in flight when the cancel is posted.
    Task<void> allocation_crosses_cancel() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = (co_await accepted(1)).at(0);
        auto brake = session();
        brake.run("BEGIN");
        brake.run(lock_row_sql(tx));
        TaskGroup group(executor());
        Answered<WriteResult> allocated;
        group.spawn(keep(store().write(one(allocation(fence, tx, 0))), &allocated));
        co_await until_waiting(1);
        EXPECT_TRUE((co_await other().post(cancel(tx))).has_value());
        EXPECT_FALSE(allocated.has_value()) << "the cancel did not wait for it";
        brake.run("ROLLBACK");
        co_await group.join();
        EXPECT_EQ(allocated->value().at(0), WriteAnswer::applied);
        EXPECT_EQ((co_await store().pending(submitter_)).value().at(0).tx, tx);
        EXPECT_EQ(co_await write(&store(), update(fence, {.tx = tx, .expected = queued, .to = {State::cancelled, {}}})),
                  WriteAnswer::conflict)
            << "a cancel that expects it to be queued is refused";
    }

    Task<void> late_event_is_not_skipped() {
        const auto early = (co_await accepted(1)).at(0);
        auto late = session();
        late.run("BEGIN");
        late.run(
            fmt::format("INSERT INTO tx_event (tx_id, sequence, kind, body, node) SELECT tx_id, 2, kind, body, '' "
                        "FROM tx_event WHERE tx_id = '{}'",
                        early.value().to_string()));
        std::ignore = co_await accepted(3);
        const auto before = (co_await store().read_after({}, 100)).value();
        EXPECT_EQ(before.size(), 1U) << "rows committed behind an open transaction wait for it";
        late.run("COMMIT");
        const auto after = (co_await store().read_after(before.back().position, 100)).value();
        EXPECT_EQ(after.size(), 4U);
        EXPECT_EQ(after.at(0).event.tx, early);
        EXPECT_EQ(after.at(0).event.sequence, EventSequence(2));
        for (std::size_t i = 1; i < after.size(); ++i)
            EXPECT_GT(after[i].position, after[i - 1].position);
    }

    Task<void> events_of_a_transaction_rolled_back() {
        auto late = session();
        late.run("BEGIN");
        late.run(
            "INSERT INTO tx_event (tx_id, sequence, kind, body, node) VALUES (gen_random_uuid(), 1, 'TxAccepted', "
            "'{}', '')");
        std::ignore = co_await accepted(2);
        EXPECT_TRUE((co_await store().read_after({}, 100)).value().empty());
        late.run("ROLLBACK");
        EXPECT_EQ((co_await store().read_after({}, 100)).value().size(), 2U) << "they wait, but not forever";
    }

    Task<void> late_row_is_not_skipped() {
        EXPECT_EQ((co_await accept(intent(submitter_, "model"))).kind, AcceptKind::accepted);
        const auto late = intent(submitter_, "late");
        auto backend = first_accept_under_way(late);
        const auto after = intent(submitter_, "after");
        EXPECT_EQ((co_await accept(after)).kind, AcceptKind::accepted);
        auto queue = (co_await store().head_of_queue(submitter_, AcceptSequence(0), 9)).value();
        EXPECT_EQ(queue.size(), 2U);
        EXPECT_EQ(queue.at(1).id, after.id);
        backend.run("COMMIT");
        queue = (co_await store().head_of_queue(submitter_, AcceptSequence(0), 9)).value();
        EXPECT_EQ(queue.size(), 3U);
        EXPECT_EQ(queue.at(1).id, late.id) << "in its place";
    }
};

INSTANTIATE_TEST_SUITE_P(, IntakeRace, testing::Values(postgres()), [](const auto&) { return "postgres"; });

TEST_P(IntakeRace, Failure24KnownRequestIsAnsweredBeforeRefusal) { run(known_before_protected()); }
TEST_P(IntakeRace, Failure24RetryWaitsForCommittingOriginal) { run(original_still_under_way(true)); }
TEST_P(IntakeRace, Failure24RetryWaitsForRolledBackOriginal) { run(original_still_under_way(false)); }
TEST_P(IntakeRace, Failure24AcceptDoesNotWaitForProtect) { run(accept_while_protect_is_under_way()); }
TEST_P(IntakeRace, Failure25CancelCommittedAfterAllocationStaysPending) { run(cancel_crosses_allocation()); }
TEST_P(IntakeRace, Failure25CancelDuringAllocationIsSeenAfterwards) { run(allocation_crosses_cancel()); }
TEST_P(IntakeRace, Failure35DoesNotSkipLateEvent) { run(late_event_is_not_skipped()); }
TEST_P(IntakeRace, Failure35RolledBackTransactionDelaysNoEvent) { run(events_of_a_transaction_rolled_back()); }
TEST_P(IntakeRace, Failure35DoesNotSkipLateIntent) { run(late_row_is_not_skipped()); }

}  // namespace
}  // namespace fencepost::race
