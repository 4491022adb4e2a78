// Locks are taken in one order without waiting for other submitters: a stalled submitter costs no other its lease, and
// two batches never wait for each other.
#include <algorithm>

#include "race_fixture.hpp"

namespace fencepost::race {
namespace {

class LockRace : public RaceTest {
protected:
    Task<void> locked_submitter_delays_no_other() {
        static constexpr std::size_t many = 50;
        static constexpr std::size_t stalled = 17;
        const auto writes = co_await lanes(many);
        const auto holder = holding_lease(numbered(stalled));

        // The row stays locked: a caller that waited for it would not return.
        const auto renewed = (co_await store().renew(claims_of(writes), 30s)).value();
        const auto written = (co_await store().write(writes)).value();
        for (std::size_t i = 0; i < many; ++i) {
            EXPECT_EQ(renewed[i], i == stalled ? LeaseResult::busy : LeaseResult::renewed) << i;
            EXPECT_EQ(written[i], i == stalled ? WriteAnswer::busy : WriteAnswer::applied) << i;
        }
        EXPECT_EQ(value("SELECT count(*) FROM nonce_assignment"), std::to_string(many - 1));
    }

    // A transaction row is locked instead of a lease row: the batch waits with its lease rows locked, and still the
    // node's other leases are renewed.
    Task<void> a_batch_that_waits_delays_no_renewal() {
        const auto writes = co_await lanes(3);
        auto brake = session();
        brake.run("BEGIN");
        brake.run(lock_row_sql(writes[0].transactions[0].tx));
        TaskGroup group(executor());
        Answered<WriteResult> slow;
        group.spawn(keep(store().write(one(writes[0])), &slow));
        co_await until_waiting(1);
        EXPECT_EQ((co_await store().renew(claims_of(writes), 30s)).value(),
                  (std::vector{LeaseResult::busy, LeaseResult::renewed, LeaseResult::renewed}));
        EXPECT_EQ((co_await store().write({writes[1], writes[2]})).value(),
                  (std::vector{WriteAnswer::applied, WriteAnswer::applied}));
        EXPECT_FALSE(slow.has_value()) << "it waits";
        brake.run("ROLLBACK");
        co_await group.join();
        EXPECT_EQ(slow->value().at(0), WriteAnswer::applied);
    }

    // More reads than the store has connections all wait for a locked table.
    Task<void> reads_that_wait_delay_neither_renewal_nor_heartbeat() {
        const auto writes = co_await lanes(3);
        auto brake = session();
        brake.run("BEGIN");
        brake.run("LOCK TABLE managed_tx");
        TaskGroup group(executor());
        std::vector<Answered<Result<std::vector<QueuedIntent>, StoreError>>> reads(40);
        for (auto& read : reads)
            group.spawn(keep(store().head_of_queue(numbered(0), {}, 1), &read));
        co_await until_waiting(store::PostgresOptions{}.connections);
        EXPECT_EQ((co_await store().renew(claims_of(writes), 30s)).value(),
                  (std::vector(writes.size(), LeaseResult::renewed)));
        EXPECT_TRUE((co_await store().heartbeat(node_a_, "here", {})).has_value());
        EXPECT_FALSE(reads[0].has_value()) << "they wait";
        brake.run("ROLLBACK");
        co_await group.join();
    }

    // More API reads than there are connections for them, and each waits.
    Task<void> waiting_queries_delay_neither_accept_nor_write() {
        const auto writes = co_await lanes(1);
        auto update = writes[0];
        update.cursor.reset();
        update.transactions.clear();
        update.status = StatusChange{SubmitterStatus::paused, "to verify that it is written"};
        auto brake = session();
        brake.run("BEGIN");
        brake.run("LOCK TABLE tx_attempt");
        TaskGroup group(executor());
        std::vector<Answered<Result<std::vector<Attempt>, StoreError>>> questions(40);
        for (auto& question : questions)
            group.spawn(keep(store().attempts(writes[0].transactions[0].tx), &question));
        co_await until_waiting(store::PostgresOptions{}.connections);
        EXPECT_TRUE((co_await store().accept(one(intent(second_, "meanwhile")))).has_value());
        EXPECT_EQ((co_await store().write(one(update))).value(), one(WriteAnswer::applied));
        EXPECT_EQ(co_await unfinished(&store()), (std::vector{numbered(0), second_}));
        for (const auto& question : questions)
            EXPECT_FALSE(question.has_value()) << "it waits";
        brake.run("ROLLBACK");
        co_await group.join();
    }

    Task<void> crashed_nodes_are_forgotten() {
        EXPECT_TRUE((co_await store().heartbeat(NodeId("crashed"), "there", {})).has_value());
        EXPECT_TRUE((co_await store().heartbeat(NodeId("silent"), "there", {})).has_value());
        auto hand = session();
        hand.run("UPDATE node SET heartbeat_at = heartbeat_at - interval '61 minutes' WHERE node_id = 'crashed'");
        hand.run("UPDATE node SET heartbeat_at = heartbeat_at - interval '59 minutes' WHERE node_id = 'silent'");
        EXPECT_TRUE((co_await store().heartbeat(node_a_, "here", {})).has_value());
        EXPECT_EQ(value("SELECT string_agg(node_id, ' ' ORDER BY node_id) FROM node"), "node-a silent");
    }

    Task<void> invalid_name_hides_no_other() {
        EXPECT_EQ((co_await accepted(1)).size(), 1U);
        session().run("INSERT INTO submitter_nonce_cursor VALUES ('nonsense', 2, 1, 1, now())");
        EXPECT_EQ(co_await unfinished(&store()), std::vector{submitter_});
    }

    Task<void> accepts_in_opposite_orders() {
        for (int round = 0; round < 60; ++round) {
            std::vector<NewIntent> up;
            std::vector<NewIntent> down;
            for (int i = 0; i < 20; ++i) {
                const auto request = std::to_string(round) + "/" + std::to_string(i);
                up.push_back(intent(numbered(static_cast<std::size_t>(i % 3)), request));
                down.push_back(intent(numbered(static_cast<std::size_t>(i % 3)), request));
            }
            std::ranges::reverse(down);
            TaskGroup group(executor());
            Answered<AcceptResult> a;
            Answered<AcceptResult> b;
            group.spawn(keep(store().accept(up), &a));
            group.spawn(keep(other().accept(down), &b));
            co_await group.join();
            EXPECT_TRUE(a->has_value() && b->has_value());
            if (!a->has_value() || !b->has_value()) co_return;
            std::ranges::reverse(b->value());
            for (std::size_t i = 0; i < up.size(); ++i) {
                const auto& one_answer = a->value()[i];
                const auto& other_answer = b->value()[i];
                EXPECT_EQ(one_answer.id, other_answer.id) << "one transaction for the request";
                EXPECT_NE(one_answer.kind, other_answer.kind) << "one was first";
            }
        }
        expect_no_deadlock();
    }

    Task<void> open_in_turn(std::vector<SubmitterId> lanes, NodeId node, std::size_t* failed) {
        for (const auto& lane : lanes) {
            if (!co_await other().open(lane, node, 30s)) ++*failed;
        }
    }

    // Writes of many submitters, takeovers of single ones, renewals and a release, all concurrently.
    Task<void> write_against_takeover() {
        static constexpr std::size_t many = 6;
        auto writes = co_await lanes(many);
        for (auto& write : writes) {
            write.cursor.reset();
            write.transactions.clear();
            write.status = StatusChange{};
        }
        auto reversed = writes;
        std::ranges::reverse(reversed);
        std::vector<SubmitterId> names;
        for (const auto& write : reversed)
            names.push_back(write.submitter);
        std::size_t failed = 0;
        for (int round = 0; round < 60; ++round) {
            TaskGroup group(executor());
            Answered<WriteResult> up;
            Answered<WriteResult> down;
            Answered<RenewResult> renewed;
            group.spawn(keep(store().write(writes), &up));
            group.spawn(keep(store().write(reversed), &down));
            group.spawn(open_in_turn(names, node_a_, &failed));
            group.spawn(keep(store().renew(claims_of(reversed), 30s), &renewed));
            co_await group.join();
            failed += !up->has_value() + !down->has_value() + !renewed->has_value();
        }
        EXPECT_EQ(failed, 0U);
        expect_no_deadlock();
    }
};

INSTANTIATE_TEST_SUITE_P(, LockRace, testing::Values(postgres()), [](const auto&) { return "postgres"; });

TEST_P(LockRace, Failure21LockedSubmitterDelaysNoOther) { run(locked_submitter_delays_no_other()); }
TEST_P(LockRace, Failure21WaitingBatchDelaysNoRenewal) { run(a_batch_that_waits_delays_no_renewal()); }
TEST_P(LockRace, WaitingReadsDelayNeitherRenewalNorHeartbeat) {
    run(reads_that_wait_delay_neither_renewal_nor_heartbeat());
}
TEST_P(LockRace, WaitingQueriesDelayNeitherAcceptNorWrite) { run(waiting_queries_delay_neither_accept_nor_write()); }
TEST_P(LockRace, NextHeartbeatForgetsCrashedNodes) { run(crashed_nodes_are_forgotten()); }
TEST_P(LockRace, InvalidSubmitterNameHidesNoOther) { run(invalid_name_hides_no_other()); }
TEST_P(LockRace, Failure22AcceptsInOppositeOrdersDoNotDeadlock) { run(accepts_in_opposite_orders()); }
TEST_P(LockRace, Failure22WritesTakeoversAndRenewalsDoNotDeadlock) { run(write_against_takeover()); }

}  // namespace
}  // namespace fencepost::race
