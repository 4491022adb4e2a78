// Mutation tests: the SQL variants that were rejected, run through the same interleavings, violate the laws. Each
// broken statement exists only here.
#include <fmt/format.h>

#include "race_fixture.hpp"

namespace fencepost::race {
namespace {

class BrokenSql : public RaceTest {
protected:
    // Law 1 as in the requirements: the fence is read, but not locked.
    Task<void> fence_without_lock() {
        const auto a = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(a);
        auto stale = session();
        stale.run("BEGIN");
        const auto passed = stale.run(R"sql(
            UPDATE managed_tx t
            SET state = 'FAILED_FINAL'
            WHERE EXISTS (
                SELECT 1
                FROM submitter_lease l
                WHERE l.submitter = t.submitter AND l.owner_node = 'node-a' AND l.fencing_token = 1
                  AND l.expires_at > clock_timestamp())
            RETURNING 1)sql");
        EXPECT_EQ(passed.size(), 1U) << "the fence holds when it is read";
        co_await lapse(a);
        EXPECT_EQ((co_await other().open(submitter_, node_b_, 30s)).value().result, LeaseResult::taken_over)
            << "nothing makes B wait";
        EXPECT_EQ((co_await other().load(submitter_)).value().watched.at(0).position, allocated_position);
        stale.run("COMMIT");
        EXPECT_EQ((co_await view(tx)).position, failed_final) << "A's write landed after B had taken over";
    }

    // The same under the same token, if an opening did not raise it.
    Task<void> token_not_raised() {
        const auto a = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(a);
        session().run("UPDATE submitter_lease SET acquired_at = clock_timestamp()");  // the broken opening
        EXPECT_EQ(co_await write(&store(), update(a, {.tx = tx, .expected = allocated_position, .to = tracking})),
                  WriteAnswer::applied);
        EXPECT_EQ(co_await write(&store(), update(a, {.tx = tx, .expected = tracking, .to = mined})),
                  WriteAnswer::applied)
            << "a late batch passes the fence";
    }

    Task<void> release_that_deletes() {
        const auto a = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(a);
        session().run("DELETE FROM submitter_lease");
        EXPECT_EQ((co_await opened(&store(), node_a_)).token, a.token) << "tokens restarted";
        EXPECT_EQ(co_await write(&store(), update(a, {.tx = tx, .expected = allocated_position, .to = tracking})),
                  WriteAnswer::applied)
            << "a batch of the old opening passes";
    }

    // Law 3 without the ledger: the next nonce is the highest plus one.
    Task<void> nonce_by_maximum() {
        const auto ids = co_await accepted(2);
        const auto allocate = [](const TxId& tx) {
            return fmt::format(
                "UPDATE managed_tx SET nonce = (SELECT coalesce(max(nonce) + 1, 0) FROM managed_tx) "
                "WHERE tx_id = '{}'",
                tx.value().to_string());
        };
        auto a = session();
        auto b = session();
        a.run("BEGIN");
        b.run("BEGIN");
        a.run(allocate(ids[0]));
        b.run(allocate(ids[1]));
        a.run("COMMIT");
        b.run("COMMIT");
        EXPECT_EQ(value("SELECT count(DISTINCT nonce) || ' of ' || count(*) FROM managed_tx"), "1 of 2")
            << "one nonce, two intents";
    }

    // The same with the ledger: the second waits for the first, and is refused.
    Task<void> ledger_refuses() {
        auto control = session();
        auto a = session();
        auto b = session();
        const std::string assign = "INSERT INTO nonce_assignment VALUES ('s', 0, gen_random_uuid())";
        a.run("BEGIN");
        a.run(assign);
        b.send(assign);
        EXPECT_TRUE(b.comes_to_wait(control));
        a.run("COMMIT");
        EXPECT_EQ(b.collect().sqlstate, "23505");
        co_return;
    }

    // Failure 22: locks in batch order.
    Task<void> unsorted_batches() {
        std::ignore = co_await lanes(2);
        auto control = session();
        auto a = session();
        auto b = session();
        a.run("BEGIN");
        b.run("BEGIN");
        a.run(lock_lease_sql(numbered(0)));
        b.run(lock_lease_sql(numbered(1)));
        a.send(lock_lease_sql(numbered(1)));
        EXPECT_TRUE(a.comes_to_wait(control));
        b.send(lock_lease_sql(numbered(0)));
        const bool b_lost = b.collect().sqlstate == "40P01";
        if (b_lost) b.run("ROLLBACK");
        EXPECT_TRUE(b_lost || a.collect().sqlstate == "40P01");
    }

    // Failure 21: in order, but without SKIP LOCKED.
    Task<void> batch_that_waits() {
        std::ignore = co_await lanes(3);
        auto stalled = holding_lease(numbered(1));
        auto control = session();
        auto renewal = session();
        renewal.send("SELECT submitter FROM submitter_lease ORDER BY submitter FOR NO KEY UPDATE");
        EXPECT_TRUE(renewal.comes_to_wait(control)) << "the whole node waits for one submitter";
        stalled.run("ROLLBACK");
        EXPECT_EQ(renewal.collect().rows.size(), 3U);
    }

    // Failure 23: locks and reads in one statement, whose snapshot is from before the wait.
    Task<void> load_with_the_lock() {
        const auto a = co_await opened(&store(), node_a_);
        std::ignore = co_await allocated(a);
        auto holder = holding_lease(submitter_);
        holder.run("UPDATE submitter_nonce_cursor SET next_nonce = 7");
        auto control = session();
        auto taker = session();
        taker.send(
            "SELECT c.next_nonce FROM submitter_lease l JOIN submitter_nonce_cursor c USING (submitter) "
            "FOR NO KEY UPDATE OF l");
        EXPECT_TRUE(taker.comes_to_wait(control));
        holder.run("COMMIT");
        EXPECT_EQ(taker.collect().rows.at(0).at(0), "1") << "the cursor from before the wait";
    }

    // Failure 35: a reader that continues after the last row it has seen, regardless of open transactions before it.
    Task<void> reading_all_there_is() {
        auto late = session();
        late.run("BEGIN");
        late.run(
            "INSERT INTO tx_event (tx_id, sequence, kind, body, node) VALUES (gen_random_uuid(), 1, 'late', '{}', "
            "'')");
        std::ignore = co_await accepted(1);
        const auto last = value("SELECT max(transaction::text::bigint) FROM tx_event");
        late.run("COMMIT");
        EXPECT_EQ(value("SELECT count(*) FROM tx_event"), "2");
        EXPECT_EQ(value("SELECT count(*) FROM tx_event WHERE transaction > '" + last + "'::xid8"), "0")
            << "the late one is never read";
    }
};

INSTANTIATE_TEST_SUITE_P(, BrokenSql, testing::Values(postgres()), [](const auto&) { return "postgres"; });

TEST_P(BrokenSql, Failure18UnlockedFenceAllowsLateCommit) { run(fence_without_lock()); }
TEST_P(BrokenSql, Failure19KeptTokenAllowsLateBatch) { run(token_not_raised()); }
TEST_P(BrokenSql, Failure21BatchWithoutSkipLockedWaitsForOneSubmitter) { run(batch_that_waits()); }
TEST_P(BrokenSql, Failure22BatchesInDifferentOrdersDeadlock) { run(unsorted_batches()); }
TEST_P(BrokenSql, Failure23StateReadWithLockPredatesWait) { run(load_with_the_lock()); }
TEST_P(BrokenSql, Failure34DeletingReleaseRestartsTokens) { run(release_that_deletes()); }
TEST_P(BrokenSql, Failure35UnboundedReaderSkipsLateRow) { run(reading_all_there_is()); }
TEST_P(BrokenSql, LawThreeNonceByMaximumIsAllocatedTwice) { run(nonce_by_maximum()); }
TEST_P(BrokenSql, LawThreeLedgerRejectsSecondAllocation) { run(ledger_refuses()); }

}  // namespace
}  // namespace fencepost::race
