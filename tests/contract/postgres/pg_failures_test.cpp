// Timeouts, crashes and lost answers, and what they prove about a commit.
#include <poll.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>

#include "postgres/pg_test.hpp"
#include "store/postgres/connection/pg_connect.hpp"
#include "store/postgres/connection/pg_pipeline.hpp"

namespace fencepost::store::pg {
namespace {

using namespace std::chrono_literals;
using Kind = PgError::Kind;

constexpr Statement lock_item{"lock_item", "SELECT id FROM item WHERE id = 0 FOR UPDATE"};
constexpr Statement warn{"warn", "DO $$ BEGIN RAISE WARNING 'no part of the commit'; END $$"};
constexpr Statement cut_off{"cut_off", "SELECT pg_terminate_backend(pg_backend_pid())"};

Task<std::unique_ptr<Connection>> with_one_item(World* world) {
    world->cluster.run(world->database, "CREATE TABLE item (id bigint PRIMARY KEY); INSERT INTO item VALUES (0)");
    return connected(world);
}

// Returns when the server reports the session in this state: a condition on its row of pg_stat_activity.
Task<void> until_seen(World* world, int backend, std::string condition) {
    const auto question =
        "SELECT count(*) FROM pg_stat_activity WHERE pid = " + std::to_string(backend) + " AND " + condition;
    while (world->cluster.value("postgres", question) != "1")
        co_await world->clock.sleep_for(10ms);
}

Task<void> until_gone(World* world, int backend) {
    const auto question = "SELECT count(*) FROM pg_stat_activity WHERE pid = " + std::to_string(backend);
    while (world->cluster.value("postgres", question) != "0")
        co_await world->clock.sleep_for(10ms);
}

std::string count_of(World* world) { return world->cluster.value(world->database, "SELECT count(*) FROM item"); }

Task<void> lock_timeout(World* world) {
    const auto holder = co_await with_one_item(world);
    world->options.lock_timeout = 50ms;
    const auto waiter = co_await connected(world);
    std::ignore = co_await holder->begin(queries({&lock_item}));
    const auto answer = co_await waiter->run(queries(insert_of(1), {&lock_item}));
    EXPECT_EQ(answer.error().kind, Kind::refused);
    EXPECT_TRUE(answer.error().is("55P03")) << answer.error().what;
    EXPECT_TRUE(waiter->is_usable());
    EXPECT_EQ(count_of(world), "1");
    std::ignore = co_await holder->rollback();
}
TEST(PgFailures, LockWaitTimesOut) { play(lock_timeout); }

Task<void> statement_timeout(World* world) {
    world->options.statement_timeout = 500ms;  // connecting runs statements as well
    const auto connection = co_await connected(world);
    const auto answer = co_await connection->run_one({&sleep_long});
    EXPECT_EQ(answer.error().kind, Kind::refused);
    EXPECT_TRUE(answer.error().is("57014")) << answer.error().what;
    EXPECT_TRUE(connection->is_usable());
}
TEST(PgFailures, StatementTimeoutIsRefused) { play(statement_timeout); }

Task<void> answer_timeout(World* world) {
    world->options.statement_timeout = 30s;
    world->options.answer_timeout = 1s;  // applies to connecting as well
    const auto connection = co_await connected(world);
    const auto answer = co_await connection->run_one({&sleep_long});
    EXPECT_EQ(answer.error().kind, Kind::unknown) << "a COMMIT follows it";
    EXPECT_THAT(answer.error().what, testing::HasSubstr("did not answer in time"));
    EXPECT_FALSE(connection->is_usable());
}
TEST(PgFailures, AbandonsUnresponsiveServer) { play(answer_timeout); }

Task<void> idle_in_transaction(World* world) {
    world->options.idle_in_transaction_timeout = 50ms;
    const auto connection = co_await with_one_item(world);
    std::ignore = co_await connection->begin(queries(insert_of(1), {&lock_item}));
    co_await until_gone(world, connection->backend_pid());
    const auto answer = co_await connection->commit(queries(insert_of(2)));
    EXPECT_EQ(answer.error().kind, Kind::lost);
    EXPECT_THAT(answer.error().what, testing::HasSubstr("idle-in-transaction timeout"));
    EXPECT_EQ(count_of(world), "1");
}
TEST(PgFailures, StalledTransactionLosesLocks) { play(idle_in_transaction); }

std::string message(char type, const std::string& body) {
    return type + std::string(3, '\0') + static_cast<char>(body.size() + 4) + body;
}

// The minimum of a server that accepts a connection.
Task<void> greet(asio::ip::tcp::acceptor* acceptor, std::optional<asio::ip::tcp::socket>* server) {
    server->emplace(co_await acceptor->async_accept(asio::use_awaitable));
    std::string startup(1'000, '\0');
    co_await (*server)->async_read_some(asio::buffer(startup), asio::use_awaitable);
    const auto welcome = message('R', std::string(4, '\0')) + message('Z', "I");
    co_await asio::async_write(**server, asio::buffer(welcome), asio::use_awaitable);
}

// Between its final message and its end, a server accepts input but does nothing with it.
Task<void> last_words(World* world) {
    asio::ip::tcp::acceptor acceptor(world->executor(), {asio::ip::address_v4::loopback(), 0});
    std::optional<asio::ip::tcp::socket> server;
    TaskGroup group(world->executor());
    group.spawn(greet(&acceptor, &server));
    world->options.url = "postgresql://u@127.0.0.1:" + std::to_string(acceptor.local_endpoint().port()) +
                         "/db?sslmode=disable&gssencmode=disable";
    auto established = co_await establish(world->executor(), world->options);
    co_await group.join();
    Pipeline pipeline(std::make_unique<Link>(world->executor(), std::move(established.value())), 1s);
    EXPECT_TRUE(pipeline.is_usable());

    using namespace std::string_literals;
    const auto farewell = message('E', "SFATAL\0VFATAL\0C57P01\0Mit ends here\0\0"s);
    co_await asio::async_write(*server, asio::buffer(farewell), asio::use_awaitable);
    pollfd arrived{.fd = PQsocket(pipeline.pq()), .events = POLLIN, .revents = 0};
    EXPECT_EQ(::poll(&arrived, 1, 30'000), 1);
    const auto answer = co_await pipeline.exchange(queries({&begin_statement}, {&commit_statement}));
    EXPECT_EQ(answer.error().kind, Kind::lost) << "nothing more was sent";
    EXPECT_THAT(answer.error().what, testing::HasSubstr("it ends here"));
}
TEST(PgFailures, SendsNothingAfterServerAnnouncedShutdown) { play(last_words); }

// As when the transaction is aborted externally. PostgreSQL reports success.
Task<void> commit_answered_with_rollback(World* world) {
    std::ignore = co_await with_one_item(world);
    auto established = co_await establish(world->executor(), world->options);
    Pipeline pipeline(std::make_unique<Link>(world->executor(), std::move(established.value())), 30s);
    EXPECT_TRUE((co_await pipeline.exchange(queries({&begin_statement}, insert_of(1)))).has_value());
    EXPECT_TRUE((co_await pipeline.exchange(queries(insert_of(1)))).error().is("23505"));
    const auto answer = co_await pipeline.exchange(queries({&commit_statement}));
    EXPECT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().kind, Kind::refused) << "it is known that nothing was written";
    EXPECT_TRUE(answer.error().is("25P02")) << answer.error().what;
    EXPECT_EQ(count_of(world), "1");
    EXPECT_TRUE(
        (co_await pipeline.exchange(queries({&begin_statement}, insert_of(2), {&commit_statement}))).has_value());
    EXPECT_EQ(count_of(world), "2") << "the connection is still usable";
}
TEST(PgFailures, CommitAnsweredWithRollbackWroteNothing) { play(commit_answered_with_rollback); }

Task<void> terminated_before_commit(World* world) {
    const auto connection = co_await with_one_item(world);
    std::ignore = co_await connection->begin(queries(insert_of(1)));
    world->cluster.terminate_backend(connection->backend_pid());
    const auto answer = co_await connection->commit(queries(insert_of(2)));
    EXPECT_EQ(answer.error().kind, Kind::lost) << answer.error().what;
    EXPECT_FALSE(connection->is_usable());
    EXPECT_EQ((co_await connection->run(queries(insert_of(3)))).error().kind, Kind::lost);
    EXPECT_FALSE((co_await connection->rollback()).has_value());
    EXPECT_EQ(count_of(world), "1");
}
TEST(PgFailures, ConnectionLostBeforeCommitIsLost) { play(terminated_before_commit); }

Task<void> terminated_by_a_statement(World* world) {
    const auto connection = co_await with_one_item(world);
    const auto answer = co_await connection->run(queries(insert_of(1), {&cut_off}, insert_of(2)));
    EXPECT_EQ(answer.error().kind, Kind::lost) << "the server said that it ended before the COMMIT";
    EXPECT_TRUE(answer.error().is("57P01")) << answer.error().what;
    EXPECT_FALSE(connection->is_usable());
    EXPECT_EQ(count_of(world), "1");
}
TEST(PgFailures, SessionEndedInTransactionIsLostDespiteCommit) { play(terminated_by_a_statement); }

Task<void> idle_connection(World* world) {
    const auto connection = co_await with_one_item(world);
    world->cluster.stop_immediate();
    world->cluster.start();
    const auto answer = co_await connection->run(queries(insert_of(1)));
    EXPECT_EQ(answer.error().kind, Kind::lost) << answer.error().what;
    EXPECT_EQ(count_of(world), "1");
}
TEST(PgFailures, ConnectionBrokenWhileIdleHasDoneNothing) { play(idle_connection); }

// A deferred trigger delays the COMMIT, so that the server is killed while it is in progress.
constexpr auto slow_commit = R"(
    CREATE TABLE item (id bigint PRIMARY KEY);
    CREATE FUNCTION wait_long() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN NEW; END';
    CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON item DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION wait_long())";

Task<void> insert_into(Connection* connection, std::int64_t id, std::optional<PgError>* error) {
    const auto answer = co_await connection->run(queries(insert_of(id)));
    if (!answer) *error = answer.error();
}

Task<void> killed_during_commit(World* world) {
    world->cluster.run(world->database, slow_commit);
    world->options.statement_timeout = world->options.answer_timeout = 60s;
    const auto connection = co_await connected(world);
    std::optional<PgError> error;
    TaskGroup group(world->executor());
    group.spawn(insert_into(connection.get(), 1, &error));
    co_await until_seen(world, connection->backend_pid(), "wait_event = 'PgSleep'");
    world->cluster.stop_immediate();
    co_await group.join();
    world->cluster.start();
    EXPECT_TRUE(error.has_value());
    EXPECT_EQ(error->kind, Kind::unknown) << error->what;
    EXPECT_EQ(count_of(world), "0") << "it was not committed, and not reported as committed";
}
TEST(PgFailures, ServerKilledDuringCommitIsUnknown) { play(killed_during_commit); }

// Whenever the server dies, acknowledged rows exist, and lost or refused ones do not.
Task<void> killed_under_load(World* world) {
    world->cluster.run(world->database, "CREATE TABLE item (id bigint PRIMARY KEY)");
    for (std::int64_t round = 0; round < 5; ++round) {
        const auto connection = co_await connected(world);
        TaskGroup group(world->executor());
        std::int64_t acknowledged = 0;
        bool stopped = false;
        for (std::int64_t i = 0;; ++i) {
            const auto id = round * 1'000'000 + i;
            if (i == 20 + round * 7) {
                std::optional<PgError> error;
                group.spawn(insert_into(connection.get(), id, &error));
                co_await asio::post(asio::use_awaitable);
                world->cluster.stop_immediate();
                stopped = true;
                co_await group.join();
                world->cluster.start();
                const auto found =
                    world->cluster.value(world->database, "SELECT count(*) FROM item WHERE id = " + std::to_string(id));
                if (!error) EXPECT_EQ(found, "1");
                if (error && error->kind != Kind::unknown) EXPECT_EQ(found, "0");
                break;
            }
            if ((co_await connection->run(queries(insert_of(id)))).has_value()) ++acknowledged;
        }
        EXPECT_TRUE(stopped);
        EXPECT_EQ(acknowledged, 20 + round * 7);
        EXPECT_EQ(world->cluster.value(world->database, "SELECT count(*) >= " + std::to_string(acknowledged) +
                                                            " FROM item WHERE id / 1000000 = " + std::to_string(round)),
                  "t");
    }
}
TEST(PgFailures, AcknowledgedRowsSurviveServerCrash) { play(killed_under_load); }

Task<void> warning_before_commit(World* world) {
    const auto connection = co_await with_one_item(world);
    const auto answer = co_await connection->run(queries({&warn}, insert_of(1)));
    EXPECT_TRUE(answer.has_value()) << answer.error().what;
}
TEST(PgFailures, StatementWarningDoesNotAffectCommit) { play(warning_before_commit); }

constexpr auto warning_commit = R"(
    CREATE TABLE item (id bigint PRIMARY KEY);
    CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN RAISE WARNING ''canceling wait for synchronous replication''; RETURN NEW; END';
    CREATE CONSTRAINT TRIGGER late AFTER INSERT ON item DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION warn())";

Task<void> warning_at_commit(World* world) {
    world->cluster.run(world->database, warning_commit);
    const auto connection = co_await connected(world);
    const auto answer = co_await connection->run(queries(insert_of(1)));
    EXPECT_EQ(answer.error().kind, Kind::unknown);
    EXPECT_TRUE(connection->is_usable());
}
TEST(PgFailures, WarningOnCommitIsUnknown) { play(warning_at_commit); }

void wait_for_a_standby(World* world, const std::string& name) {
    world->cluster.run("postgres", "ALTER SYSTEM SET synchronous_standby_names = '" + name + "'");
    world->cluster.run("postgres", "SELECT pg_reload_conf()");
}

// The server applies a setting with a delay: until then it confirms commits at once.
Task<void> insert_until_unconfirmed(Connection* connection, std::int64_t id, std::optional<PgError>* error) {
    while (!*error)
        co_await insert_into(connection, id++, error);
}

// With a missing synchronous standby a commit hangs, as it should: no timeout of PostgreSQL ends it.
Task<void> no_standby(World* world) {
    world->options.answer_timeout = 60s;
    const auto cancelled = co_await with_one_item(world);
    world->options.answer_timeout = 1s;
    const auto hasty = co_await connected(world);
    wait_for_a_standby(world, "nobody");

    std::optional<PgError> error;
    TaskGroup group(world->executor());
    group.spawn(insert_until_unconfirmed(cancelled.get(), 1, &error));
    co_await until_seen(world, cancelled->backend_pid(), "wait_event = 'SyncRep'");
    const auto answer = co_await hasty->run(queries(insert_of(1'000'000)));
    EXPECT_EQ(answer.error().kind, Kind::unknown);
    EXPECT_FALSE(hasty->is_usable());

    world->cluster.run("postgres", "SELECT pg_cancel_backend(" + std::to_string(cancelled->backend_pid()) + ")");
    co_await group.join();
    EXPECT_TRUE(error.has_value());
    EXPECT_EQ(error->kind, Kind::unknown);
    EXPECT_THAT(error->what, testing::HasSubstr("synchronous replication"));
    EXPECT_TRUE(cancelled->is_usable());
    wait_for_a_standby(world, "");
}
TEST(PgFailures, UnconfirmedStandbyCommitIsUnknown) { play(no_standby); }

Task<void> sleep_for_ever(Connection* connection) { std::ignore = co_await connection->run_one({&sleep_long}); }

Task<void> cancelled(World* world) {
    const auto connection = co_await connected(world);
    TaskGroup group(world->executor());
    group.spawn(sleep_for_ever(connection.get()));
    co_await world->clock.sleep_for(50ms);
    group.cancel();
    co_await group.join();
    EXPECT_FALSE(connection->is_usable());
    EXPECT_EQ((co_await connection->run_one({&lock_item})).error().kind, Kind::lost);
}
TEST(PgFailures, CancellationMakesConnectionUnusable) { play(cancelled); }

TEST(PgFailures, DestroyedTaskLeavesNothingOpen) {
    World world;
    asio::co_spawn(world.context, cancelled(&world), [](const std::exception_ptr&) {});
    world.context.run_for(30ms);
    Teardown::begin(world.context);
}

}  // namespace
}  // namespace fencepost::store::pg
