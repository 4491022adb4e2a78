// A connection dies between COMMIT and its answer: the store must report the outcome as unknown, and reopening the lane
// must reveal it.
#include <fmt/format.h>

#include "race_fixture.hpp"

namespace fencepost::race {
namespace {

// A COMMIT that takes longer than any test, in which the change is not applied yet.
constexpr auto slow_commit = R"sql(
CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(90); RETURN NULL; END';
CREATE CONSTRAINT TRIGGER linger AFTER UPDATE ON managed_tx DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION linger()
)sql";

// Ends the session that allocates nonce 99, after the allocation and before the commit.
constexpr auto deadly_nonce = R"sql(
CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1); RETURN NULL; END';
CREATE TRIGGER die AFTER INSERT ON nonce_assignment FOR EACH ROW WHEN (NEW.nonce = 99) EXECUTE FUNCTION die()
)sql";

// The same, where a refusal queries the unique index for the original of the request.
constexpr auto deadly_refusal = R"sql(
CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1); RETURN NULL; END';
CREATE TRIGGER die AFTER INSERT ON managed_tx FOR EACH ROW WHEN (NEW.accept_sequence = 0) EXECUTE FUNCTION die()
)sql";

class LostCommit : public RaceTest {
protected:
    void script(const std::string& sql) {
        auto& cluster = database().cluster();
        cluster.run(database().name(), sql);
    }

    Task<void> wait_for_a_standby(std::string name) {
        auto& cluster = database().cluster();
        cluster.run("postgres", fmt::format("ALTER SYSTEM SET synchronous_standby_names = '{}'", name));
        cluster.run("postgres", "SELECT pg_reload_conf()");
        if (!name.empty()) co_await until_a_commit_waits();
    }

    // The server applies the setting with a delay, so commits are tried until one waits. Each has its own name, so that
    // one that has not started is not mistaken for one that is done.
    Task<void> until_a_commit_waits() {
        auto probe = session();
        probe.run("SET client_min_messages = error");
        const auto seen = fmt::format("FROM pg_stat_activity WHERE pid = {}", probe.backend_pid());
        bool waits = false;
        for (int i = 0; !waits; ++i) {
            probe.send(fmt::format("SELECT pg_logical_emit_message(true, 'probe {}', '')", i));
            const auto is_done = fmt::format("SELECT state = 'idle' AND query LIKE '%''probe {}''%' {}", i, seen);
            while (!waits && value(is_done) != "t") {
                waits = value("SELECT coalesce(wait_event, '') " + seen) == "SyncRep";
                co_await sleep(10ms);
            }
            if (waits) session().run(fmt::format("SELECT pg_cancel_backend({})", probe.backend_pid()));
            std::ignore = probe.collect();
        }
    }

    LaneWrite tracking_of(const Fence& fence, const TxId& tx) {
        return update(fence, {.tx = tx, .expected = allocated_position, .to = tracking});
    }

    // Returns when the store's commit has reached this wait event.
    Task<std::string> committing_backend(std::string wait_event) {
        const auto which = fmt::format(
            "FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'fencepost' AND "
            "state = 'active' AND wait_event = '{}'",
            wait_event);
        co_await until("count(*) = 1 " + which);
        co_return value("SELECT pid " + which);
    }
    Task<void> kill_commit_that_waits_for(std::string wait_event) {
        const auto backend = co_await committing_backend(std::move(wait_event));
        session().run("SELECT pg_terminate_backend(" + backend + ", 30000)");
    }

    Task<void> expect_the_truth(TxId tx, Fence old, Position truth) {
        const auto again = (co_await store().open(submitter_, node_a_, 30s)).value();
        EXPECT_EQ(again.result, LeaseResult::reopened);
        EXPECT_EQ((co_await store().load(submitter_)).value().watched.at(0).position, truth);
        EXPECT_EQ(value("SELECT state FROM managed_tx"), name_of(truth.state));
        EXPECT_EQ(co_await write(&store(), tracking_of(old, tx)), WriteAnswer::fenced) << "the old opening is over";
        EXPECT_EQ(co_await write(&store(), update(*again.fence, {.tx = tx, .expected = truth, .to = mined})),
                  WriteAnswer::applied);
    }

    Task<void> dies_before_it_is_done() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(fence);
        script(slow_commit);
        TaskGroup group(executor());
        Answered<WriteResult> answer;
        group.spawn(keep(store().write(one(tracking_of(fence, tx))), &answer));
        co_await kill_commit_that_waits_for("PgSleep");
        co_await group.join();
        EXPECT_EQ(answer->error(), StoreError::unknown_outcome);
        script("DROP TRIGGER linger ON managed_tx");
        co_await expect_the_truth(tx, fence, allocated_position);
    }

    // The change is on our disk and waits for the standby: it is done, but not acknowledged.
    Task<void> dies_after_it_was_done() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(fence);
        co_await wait_for_a_standby("nobody");
        TaskGroup group(executor());
        Answered<WriteResult> answer;
        group.spawn(keep(store().write(one(tracking_of(fence, tx))), &answer));
        co_await kill_commit_that_waits_for("SyncRep");
        co_await group.join();
        co_await wait_for_a_standby("");
        EXPECT_EQ(answer->error(), StoreError::unknown_outcome);
        co_await expect_the_truth(tx, fence, tracking);
    }

    // The whole server dies, as in a power failure, while the COMMIT waits for a standby.
    Task<void> server_dies_with_it() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(fence);
        co_await wait_for_a_standby("nobody");
        TaskGroup group(executor());
        Answered<WriteResult> answer;
        group.spawn(keep(store().write(one(tracking_of(fence, tx))), &answer));
        std::ignore = co_await committing_backend("SyncRep");
        EXPECT_FALSE(answer.has_value());
        database().cluster().stop_immediate();
        co_await group.join();
        EXPECT_EQ(answer->error(), StoreError::unknown_outcome);
        database().cluster().start();
        co_await wait_for_a_standby("");
        co_await expect_the_truth(tx, fence, tracking);
    }

    Task<void> dies_before_the_commit() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = (co_await accepted(1)).at(0);
        script(deadly_nonce);
        auto deadly = allocation(fence, tx, 99);
        deadly.cursor->expected = std::nullopt;
        const auto answer = co_await store().write(one(deadly));
        EXPECT_EQ(answer.error(), StoreError::unavailable) << "the server said that it ended before the COMMIT";
        EXPECT_EQ(value("SELECT state FROM managed_tx"), "QUEUED");
        EXPECT_EQ(value("SELECT count(*) FROM nonce_assignment"), "0");
    }

    // One of three contradicts the ledger, so they are written one by one, and the connection dies at the third, when
    // the first is done: "nothing was written" would be wrong.
    Task<void> dies_half_way() {
        auto writes = co_await lanes(3);
        session().run(fmt::format("INSERT INTO nonce_assignment VALUES ('{}', 0, gen_random_uuid())",
                                  writes[1].submitter.to_string()));
        writes[2].transactions[0].nonce = Nonce(99);
        writes[2].transactions[0].attempts = {contract::attempt(99)};
        script(deadly_nonce);
        const auto answer = co_await store().write(writes);
        EXPECT_FALSE(answer.has_value());
        const bool nothing = value("SELECT count(*) FROM managed_tx WHERE nonce IS NOT NULL") == "0";
        EXPECT_EQ(answer.error(), nothing ? StoreError::unavailable : StoreError::unknown_outcome);
    }

    Task<void> accept_dies() {
        co_await wait_for_a_standby("nobody");
        TaskGroup group(executor());
        Answered<AcceptResult> answer;
        const auto asked = intent(submitter_, "r");
        group.spawn(keep(store().accept(one(asked)), &answer));
        co_await kill_commit_that_waits_for("SyncRep");
        co_await group.join();
        co_await wait_for_a_standby("");
        EXPECT_EQ(answer->error(), StoreError::unknown_outcome);
        const auto again = (co_await store().accept(one(intent(submitter_, "r")))).value().at(0);
        EXPECT_EQ(again.kind, AcceptKind::same_again);
        EXPECT_EQ(again.id, asked.id);
    }

    // New intents are committed before refusals are checked again: "nothing was written" would be wrong.
    Task<void> accept_dies_in_its_second_round() {
        session().run(
            fmt::format("INSERT INTO submitter_status VALUES ('{}', 'PAUSED', 'x', 1, now())", second_.to_string()));
        script(deadly_refusal);
        const auto asked = intent(submitter_, "new");
        auto batch = one(asked);
        batch.push_back(intent(second_, "refused"));
        EXPECT_EQ((co_await store().accept(std::move(batch))).error(), StoreError::unknown_outcome);
        EXPECT_EQ((co_await store().accept(one(intent(second_, "refused")))).error(), StoreError::unavailable)
            << "nothing was accepted before";
        script("DROP TRIGGER die ON managed_tx");

        batch = one(intent(submitter_, "new"));
        batch.push_back(intent(second_, "refused"));
        const auto again = (co_await store().accept(std::move(batch))).value();
        EXPECT_EQ(again.at(0).kind, AcceptKind::same_again);
        EXPECT_EQ(again.at(0).id, asked.id);
        EXPECT_EQ(again.at(1).kind, AcceptKind::submitter_paused);
        EXPECT_EQ(value("SELECT count(*) FROM managed_tx"), "1");
    }
};
class LostServer : public LostCommit {};

INSTANTIATE_TEST_SUITE_P(, LostServer, testing::Values(restartable_postgres()), [](const auto&) { return "postgres"; });
INSTANTIATE_TEST_SUITE_P(, LostCommit, testing::Values(postgres()), [](const auto&) { return "postgres"; });

TEST_P(LostCommit, UnknownCommitIsReadAsNotDone) { run(dies_before_it_is_done()); }
TEST_P(LostCommit, UnknownCommitIsReadAsDone) { run(dies_after_it_was_done()); }
TEST_P(LostServer, UnknownCommitIsReadAsDone) { run(server_dies_with_it()); }
TEST_P(LostCommit, ConnectionLostBeforeCommitWroteNothing) { run(dies_before_the_commit()); }
TEST_P(LostCommit, PartlyWrittenBatchIsNotReportedUnwritten) { run(dies_half_way()); }
TEST_P(LostCommit, Failure24RetryAfterLostAnswerFindsRequest) { run(accept_dies()); }
TEST_P(LostCommit, PartlyAcceptedBatchIsNotReportedUnwritten) { run(accept_dies_in_its_second_round()); }

}  // namespace
}  // namespace fencepost::race
