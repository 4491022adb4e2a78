// Law 1 under chosen interleavings: a write in flight when the lease changes hands is committed before the new owner
// reads, or never.
#include <fmt/format.h>

#include "race_fixture.hpp"

namespace fencepost::race {
namespace {

class FenceRace : public RaceTest {
protected:
    LaneWrite failing(const Fence& fence, const TxId& tx) {
        return update(fence, {.tx = tx, .expected = allocated_position, .to = failed_final});
    }

    Task<RenewResult> renewed(Store* at, Fence fence) { return at->renew(one(LeaseClaim{submitter_, fence}), 30s); }

    // A's write is between its lock and its commit, because a session holds the row it is about to change.
    Task<void> stalled_write_against_takeover() {
        const auto a = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(a);
        auto brake = session();
        brake.run("BEGIN");
        brake.run(lock_row_sql(tx));
        co_await shorten(a);

        TaskGroup group(executor());
        Answered<WriteResult> written;
        Answered<OpenResult> taken;
        group.spawn(keep(store().write(one(failing(a, tx))), &written));
        co_await until_waiting(1);
        co_await until_lapsed();
        group.spawn(keep(other().open(submitter_, node_b_, 30s), &taken));
        co_await until_waiting(2);
        EXPECT_FALSE(written.has_value());
        EXPECT_FALSE(taken.has_value()) << "B waits for the write in flight";
        brake.run("ROLLBACK");
        co_await group.join();

        EXPECT_EQ(written->value().at(0), WriteAnswer::applied) << "committed before the takeover";
        EXPECT_EQ(taken->value().result, LeaseResult::taken_over);
        EXPECT_TRUE((co_await other().load(submitter_)).value().watched.empty()) << "and B sees it";
        EXPECT_EQ((co_await other().by_id(tx)).value()->position, failed_final);
        EXPECT_EQ(co_await write(&store(), failing(a, tx)), WriteAnswer::fenced);
    }

    // The other order: the takeover holds the row when A's write arrives.
    Task<void> write_during_takeover() {
        const auto a = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(a);
        co_await lapse(a);
        auto taker = holding_lease(submitter_);
        taker.run(
            "UPDATE submitter_lease SET owner_node = 'node-b', fencing_token = 2, "
            "expires_at = clock_timestamp() + interval '30 s', updated_at = clock_timestamp()");
        EXPECT_EQ(co_await write(&store(), failing(a, tx)), WriteAnswer::fenced)
            << "expired, regardless of who holds the row";
        taker.run("COMMIT");
        EXPECT_EQ(co_await write(&store(), failing(a, tx)), WriteAnswer::fenced);
        EXPECT_EQ((co_await view(tx)).position, allocated_position);
    }

    Task<void> late_batch_of_the_same_node() {
        const auto old = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(old);
        auto brake = session();
        brake.run("BEGIN");
        brake.run(lock_row_sql(tx));
        TaskGroup group(executor());
        Answered<WriteResult> late;
        Answered<OpenResult> again;
        group.spawn(keep(store().write(one(failing(old, tx))), &late));
        co_await until_waiting(1);
        group.spawn(keep(store().open(submitter_, node_a_, 30s), &again));
        co_await until_waiting(2);
        EXPECT_FALSE(again.has_value()) << "reopening waits for the batch in flight";
        brake.run("ROLLBACK");
        co_await group.join();
        EXPECT_EQ(late->value().at(0), WriteAnswer::applied);
        EXPECT_EQ(again->value().result, LeaseResult::reopened);
        EXPECT_TRUE((co_await store().load(submitter_)).value().watched.empty());
        EXPECT_EQ((co_await view(tx)).position, failed_final);
    }

    // The session of the old batch is so slow that it locks the lease only after the node reopened its lane.
    Task<void> batch_that_starts_late() {
        const auto old = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(old);
        auto reopening = holding_lease(submitter_);
        EXPECT_EQ(co_await write(&store(), failing(old, tx)), WriteAnswer::busy);
        reopening.run("UPDATE submitter_lease SET fencing_token = fencing_token + 1");
        reopening.run("COMMIT");
        EXPECT_EQ(co_await write(&store(), failing(old, tx)), WriteAnswer::fenced);
        EXPECT_EQ((co_await view(tx)).position, allocated_position);
    }

    Task<void> stalled_owner_is_evicted(bool in_pipeline) {
        const auto a = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(a);
        co_await lapse(a);
        const auto late = "UPDATE managed_tx SET state = 'FAILED_FINAL'";
        auto stalled = session();
        if (in_pipeline) {
            stalled.stall_in_pipeline({"BEGIN", lock_lease_sql(submitter_), late});
        } else {
            stalled.run("BEGIN");
            stalled.run(lock_lease_sql(submitter_));
            stalled.run(late);
        }
        co_await until("count(*) = 0 FROM (SELECT 1 FROM managed_tx FOR UPDATE SKIP LOCKED) AS not_locked");
        const Stopwatch watch;
        const auto taken = (co_await other().open(submitter_, node_b_, 30s)).value();
        EXPECT_EQ(taken.result, LeaseResult::taken_over);
        EXPECT_GE(watch.elapsed(), evicting_after) << "not before it was blocked that long";
        if (!in_pipeline) EXPECT_FALSE(stalled.attempt("COMMIT").ok());
        EXPECT_EQ((co_await view(tx)).position, allocated_position) << "its uncommitted changes are gone";
    }

    Task<void> unexpired_owner_stays() {
        const auto a = co_await opened(&store(), node_a_, 30s);
        const auto tx = co_await allocated(a);
        auto slow = holding_lease(submitter_);
        const Stopwatch watch;
        while (watch.elapsed() < 2 * evicting_after) {
            const auto answer = (co_await other().open(submitter_, node_b_, 30s)).value();
            EXPECT_EQ(answer.result, LeaseResult::not_owner);
            co_await sleep(100ms);
        }
        slow.run("UPDATE managed_tx SET last_error = 'still here'");
        EXPECT_TRUE(slow.attempt("COMMIT").ok());
        EXPECT_EQ((co_await view(tx)).error, "still here");
    }

    // More lanes than the pool has connections: waiting openings must leave one for the eviction.
    Task<void> a_stalled_node_with_many_lanes(bool evicts) {
        static constexpr std::size_t many = 8;
        auto stalled = session();
        const auto own = co_await opened(&other(), node_b_);
        for (std::size_t i = 0; i < many; ++i)
            std::ignore = co_await store().open(numbered(i), node_a_, 1ms);
        co_await until("bool_and(expires_at < clock_timestamp()) FROM submitter_lease WHERE owner_node = 'node-a'");
        stalled.run("BEGIN");
        stalled.run("SELECT 1 FROM submitter_lease WHERE owner_node = 'node-a' FOR NO KEY UPDATE");
        const Stopwatch watch;
        TaskGroup group(executor());
        std::vector<Answered<OpenResult>> answers(many);
        for (std::size_t i = 0; i < many; ++i)
            group.spawn(keep(other().open(numbered(i), node_b_, 30s), &answers[i]));
        if (!evicts) {
            co_await until_waiting(store::PostgresOptions{}.connections);
            EXPECT_EQ((co_await renewed(&other(), own)).value().at(0), LeaseResult::renewed)
                << "B's other lanes continue meanwhile";
            stalled.run("ROLLBACK");
        }
        co_await group.join();
        EXPECT_LT(watch.elapsed(), many * evicting_after) << "not one after another";
        for (const auto& answer : answers) {
            EXPECT_TRUE(answer->has_value());
            if (answer->has_value()) EXPECT_EQ(answer->value().result, LeaseResult::taken_over);
        }
    }

    // The second taker waits for the first, which waits for the stalled owner: only the owner is to be terminated.
    Task<void> two_takeovers_of_a_stalled_owner() {
        co_await lapse(co_await opened(&store(), node_a_));
        auto stalled = holding_lease(submitter_);
        TaskGroup group(executor());
        Answered<OpenResult> b;
        Answered<OpenResult> c;
        group.spawn(keep(store().open(submitter_, node_b_, 30s), &b));
        while (!b.has_value() && !are_waiting(1))
            co_await sleep(10ms);
        group.spawn(keep(other().open(submitter_, NodeId("node-c"), 30s), &c));
        co_await group.join();
        EXPECT_TRUE(b->has_value() && c->has_value());
        if (!b->has_value() || !c->has_value()) co_return;
        EXPECT_EQ(b->value().result, LeaseResult::taken_over);
        EXPECT_EQ(c->value().result, LeaseResult::not_owner);
    }

    // B queues, C queues behind it, and C's patience ends first.
    Task<void> the_one_in_front_is_left_alone() {
        co_await lapse(co_await opened(&store(), node_a_));
        auto stalled = holding_lease(submitter_);
        auto first = session();
        auto control = session();
        first.run("BEGIN");
        first.send(lock_lease_sql(submitter_));
        EXPECT_TRUE(first.comes_to_wait(control));
        TaskGroup group(executor());
        Answered<OpenResult> second;
        group.spawn(keep(other().open(submitter_, node_b_, 30s), &second));
        co_await until(fmt::format("cardinality(pg_blocking_pids({})) = 0", first.backend_pid()));
        EXPECT_FALSE(stalled.attempt("COMMIT").ok()) << "the stalled session was evicted";
        EXPECT_TRUE(first.collect().ok()) << "the waiting session was not";
        EXPECT_TRUE(first.attempt("COMMIT").ok());
        co_await group.join();
        EXPECT_EQ(second->value().result, LeaseResult::taken_over);
    }

    Task<void> load_sees_the_last_commit() {
        const auto a = co_await opened(&store(), node_a_);
        std::ignore = co_await allocated(a);
        co_await lapse(a);
        auto holder = holding_lease(submitter_);
        holder.run("UPDATE submitter_nonce_cursor SET next_nonce = 7");
        holder.run("UPDATE managed_tx SET state = 'TRACKING'");
        TaskGroup group(executor());
        Answered<OpenResult> taken;
        group.spawn(keep(other().open(submitter_, node_b_, 30s), &taken));
        co_await until_waiting(1);
        EXPECT_FALSE(taken.has_value());
        holder.run("COMMIT");
        co_await group.join();
        EXPECT_EQ(taken->value().result, LeaseResult::taken_over);
        const auto state = (co_await other().load(submitter_)).value();
        EXPECT_EQ(state.next_nonce, Nonce(7));
        EXPECT_EQ(state.watched.at(0).position, tracking);
    }

    Task<void> release_keeps_the_token() {
        const auto a = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(a);
        auto brake = session();
        brake.run("BEGIN");
        brake.run(lock_row_sql(tx));
        TaskGroup group(executor());
        Answered<WriteResult> old_batch;
        Answered<Status<StoreError>> released;
        group.spawn(keep(store().write(one(failing(a, tx))), &old_batch));
        co_await until_waiting(1);
        group.spawn(keep(store().release(one(LeaseClaim{submitter_, a})), &released));
        co_await until_waiting(2);
        EXPECT_FALSE(released.has_value()) << "a release waits for the batch in flight";
        brake.run("ROLLBACK");
        co_await group.join();
        EXPECT_TRUE(released->has_value());
        EXPECT_EQ(value("SELECT fencing_token FROM submitter_lease"), "1") << "row and token stay";
        const auto b = co_await opened(&other(), node_b_);
        EXPECT_EQ(b.token, FenceToken(2));
        EXPECT_EQ(co_await write(&store(), update(a, {.tx = tx, .expected = failed_final, .to = tracking})),
                  WriteAnswer::fenced);
        EXPECT_TRUE((co_await store().release(one(LeaseClaim{submitter_, a}))).has_value());
        EXPECT_EQ((co_await other().open(submitter_, NodeId("node-c"), 30s)).value().result, LeaseResult::not_owner)
            << "a stale release has no effect";
    }

    Task<void> renew_against_takeover() {
        const auto a = co_await opened(&store(), node_a_);
        co_await shorten(a);
        auto taker = holding_lease(submitter_);
        EXPECT_EQ((co_await renewed(&store(), a)).value().at(0), LeaseResult::busy) << "it does not wait";
        co_await until_lapsed();
        EXPECT_EQ((co_await renewed(&store(), a)).value().at(0), LeaseResult::not_owner) << "too late";
        taker.run("ROLLBACK");
        EXPECT_EQ((co_await renewed(&store(), a)).value().at(0), LeaseResult::not_owner) << "expired is expired";
        const auto b = co_await opened(&other(), node_b_);
        EXPECT_EQ((co_await renewed(&store(), a)).value().at(0), LeaseResult::not_owner);
        EXPECT_EQ((co_await renewed(&other(), b)).value().at(0), LeaseResult::renewed);
    }

    // A renewal holds the row when B arrives: B must find the lease renewed, not the state from before its wait.
    Task<void> takeover_against_renew() {
        co_await lapse(co_await opened(&store(), node_a_));
        auto renewal = holding_lease(submitter_);
        renewal.run("UPDATE submitter_lease SET expires_at = clock_timestamp() + interval '30 s'");
        TaskGroup group(executor());
        Answered<OpenResult> answer;
        group.spawn(keep(other().open(submitter_, node_b_, 30s), &answer));
        co_await until_waiting(1);
        EXPECT_FALSE(answer.has_value());
        renewal.run("COMMIT");
        co_await group.join();
        EXPECT_EQ(answer->value().result, LeaseResult::not_owner);
    }

    Task<void> two_takeovers(bool of_nothing) {
        for (std::size_t round = 0; round < 50; ++round) {
            const auto lane = numbered(round);
            if (!of_nothing) {
                const auto a = (co_await store().open(lane, node_a_, 30s)).value();
                EXPECT_TRUE((co_await store().release(one(LeaseClaim{lane, *a.fence}))).has_value());
            }
            TaskGroup group(executor());
            Answered<OpenResult> b;
            Answered<OpenResult> c;
            group.spawn(keep(store().open(lane, node_b_, 30s), &b));
            group.spawn(keep(other().open(lane, NodeId("node-c"), 30s), &c));
            co_await group.join();
            const auto won = of_nothing ? LeaseResult::inserted : LeaseResult::taken_over;
            EXPECT_EQ((b->value().result == won) + (c->value().result == won), 1);
            EXPECT_EQ((b->value().result == LeaseResult::not_owner) + (c->value().result == LeaseResult::not_owner), 1);
        }
        expect_no_deadlock();
    }
};

class EvictionRace : public FenceRace {};

INSTANTIATE_TEST_SUITE_P(, FenceRace, testing::Values(postgres()), [](const auto&) { return "postgres"; });
INSTANTIATE_TEST_SUITE_P(, EvictionRace, testing::Values(evicting_postgres()), [](const auto&) { return "postgres"; });

TEST_P(FenceRace, Failure18TakeoverSeesStaleCommitItWaitedFor) { run(stalled_write_against_takeover()); }
TEST_P(FenceRace, Failure18StaleWriteDoesNotLandAfterTakeover) { run(write_during_takeover()); }
TEST_P(FenceRace, Failure19LateBatchCommitsBeforeReopening) { run(late_batch_of_the_same_node()); }
TEST_P(FenceRace, Failure19FencesBatchStartedAfterNextOpening) { run(batch_that_starts_late()); }
TEST_P(EvictionRace, Failure20EvictsOwnerStalledInTransaction) { run(stalled_owner_is_evicted(false)); }
TEST_P(EvictionRace, Failure20EvictsOwnerStalledInPipeline) { run(stalled_owner_is_evicted(true)); }
TEST_P(EvictionRace, Failure20DoesNotEvictUnexpiredOwner) { run(unexpired_owner_stays()); }
TEST_P(EvictionRace, Failure20StalledNodeLosesAllLanesAtOnce) { run(a_stalled_node_with_many_lanes(true)); }
TEST_P(FenceRace, Failure20WaitingTakeoversDelayNoRenewal) { run(a_stalled_node_with_many_lanes(false)); }
TEST_P(EvictionRace, Failure20OneOfTwoTakeoversOfStalledOwnerWins) { run(two_takeovers_of_a_stalled_owner()); }
TEST_P(EvictionRace, Failure20DoesNotEvictQueuedTakeover) { run(the_one_in_front_is_left_alone()); }
TEST_P(FenceRace, Failure23LoadSeesCommitsDuringOpen) { run(load_sees_the_last_commit()); }
TEST_P(FenceRace, Failure34ReleaseKeepsToken) { run(release_keeps_the_token()); }
TEST_P(FenceRace, RenewalDoesNotOvertakeTakeover) { run(renew_against_takeover()); }
TEST_P(FenceRace, TakeoverSeesRenewalItWaitedFor) { run(takeover_against_renew()); }
TEST_P(FenceRace, OneOfTwoConcurrentTakeoversWins) { run(two_takeovers(false)); }
TEST_P(FenceRace, OneOfTwoConcurrentFirstOpeningsWins) { run(two_takeovers(true)); }

}  // namespace
}  // namespace fencepost::race
