// Round trips, transactions and scripts on one connection.
#include "store/postgres/connection/pg_connection.hpp"

#include "postgres/pg_test.hpp"

namespace fencepost::store::pg {
namespace {

using Kind = PgError::Kind;

constexpr Statement insert_late{"insert_late", "INSERT INTO item_checked_late (id) VALUES ($1)"};
constexpr Statement count{"count", "SELECT count(*) FROM item"};
constexpr Statement nonsense{"nonsense", "SELECT no_such_column"};
constexpr Statement fine_again{"fine_again", "SELECT 42::bigint"};

constexpr auto schema = R"(
    CREATE TABLE item (id bigint PRIMARY KEY);
    CREATE TABLE item_checked_late (id bigint UNIQUE DEFERRABLE INITIALLY DEFERRED))";

Query insert_late_of(std::int64_t id) { return {&insert_late, Params().add(id)}; }

Task<std::unique_ptr<Connection>> with_schema(World* world) {
    auto connection = co_await connected(world);
    const auto made = co_await connection->run_script(schema);
    if (!made) throw std::runtime_error(made.error().what);
    co_return connection;
}

Task<std::int64_t> count_by(Connection* connection) {
    const auto rows = co_await connection->run_one({&count});
    if (!rows) throw std::runtime_error(rows.error().what);
    co_return rows->integer(0, 0);
}

Task<void> many_statements(World* world) {
    const auto connection = co_await with_schema(world);
    std::vector<Query> many;
    for (std::int64_t i = 0; i < 5000; ++i)
        many.push_back(insert_of(i));
    const auto answer = co_await connection->run(std::move(many));
    EXPECT_TRUE(answer.has_value()) << answer.error().what;
    EXPECT_EQ(answer->size(), 5000U);
    EXPECT_EQ(answer->back().affected(), 1U);
    EXPECT_EQ(co_await count_by(connection.get()), 5000);
}
TEST(PgConnection, SendsManyStatementsInOneRoundTrip) { play(many_statements); }

Task<void> nothing_to_run(World* world) {
    const auto connection = co_await connected(world);
    const auto answer = co_await connection->run({});
    EXPECT_TRUE(answer.has_value());
    EXPECT_TRUE(answer->empty());
}
TEST(PgConnection, NoStatementsIsNotAnError) { play(nothing_to_run); }

Task<void> error_in_the_middle(World* world) {
    const auto connection = co_await with_schema(world);
    auto answer = co_await connection->run(queries(insert_of(1), insert_of(2), insert_of(1), insert_of(3)));
    EXPECT_EQ(answer.error().kind, Kind::refused);
    EXPECT_TRUE(answer.error().is("23505")) << answer.error().sqlstate;
    EXPECT_TRUE(connection->is_usable());
    EXPECT_EQ(co_await count_by(connection.get()), 0);
    answer = co_await connection->run(queries(insert_of(1)));
    EXPECT_TRUE(answer.has_value());
}
TEST(PgConnection, ErrorInMiddleRollsBackAndKeepsConnection) { play(error_in_the_middle); }

// Neither the statement whose preparation failed nor the one after it may count as prepared.
Task<void> failed_preparation(World* world) {
    const auto connection = co_await with_schema(world);
    for (int i = 0; i < 2; ++i) {
        const auto answer = co_await connection->run(queries(insert_of(i), {&nonsense}, {&fine_again}));
        EXPECT_TRUE(answer.error().is("42703")) << answer.error().what;
    }
    const auto rows = co_await connection->run_one({&fine_again});
    EXPECT_TRUE(rows.has_value()) << rows.error().what;
    EXPECT_EQ(rows->integer(0, 0), 42);
}
TEST(PgConnection, RepreparesAfterFailedPreparation) { play(failed_preparation); }

Task<void> error_at_commit(World* world) {
    const auto connection = co_await with_schema(world);
    const auto answer = co_await connection->run(queries(insert_late_of(1), insert_late_of(1)));
    EXPECT_EQ(answer.error().kind, Kind::refused);
    EXPECT_TRUE(answer.error().is("23505"));
    const auto begun = co_await connection->begin(queries(insert_late_of(2)));
    EXPECT_TRUE(begun.has_value());
    const auto done = co_await connection->commit(queries(insert_late_of(2)));
    EXPECT_TRUE(done.error().is("23505"));
    EXPECT_EQ(co_await count_by(connection.get()), 0);
}
TEST(PgConnection, ErrorAtCommitIsRefused) { play(error_at_commit); }

Task<void> several_round_trips(World* world) {
    const auto connection = co_await with_schema(world);
    const auto other = co_await connected(world);
    std::ignore = co_await connection->begin(queries(insert_of(1)));
    std::ignore = co_await connection->more(queries(insert_of(2)));
    EXPECT_EQ(co_await count_by(other.get()), 0);
    const auto last = co_await connection->commit(queries(insert_of(3), {&count}));
    EXPECT_EQ(last->size(), 2U);
    EXPECT_EQ(last->back().integer(0, 0), 3);
    EXPECT_EQ(co_await count_by(other.get()), 3);

    std::ignore = co_await connection->begin(queries(insert_of(4)));
    EXPECT_TRUE((co_await connection->rollback()).has_value());
    EXPECT_EQ(co_await count_by(connection.get()), 3);
    EXPECT_TRUE((co_await connection->rollback()).has_value()) << "no transaction is open, so it does nothing";
}
TEST(PgConnection, TransactionOverRoundTripsIsVisibleAfterCommit) { play(several_round_trips); }

Task<void> error_in_a_transaction(World* world) {
    const auto connection = co_await with_schema(world);
    std::ignore = co_await connection->begin(queries(insert_of(1)));
    const auto failed = co_await connection->more(queries(insert_of(1)));
    EXPECT_TRUE(failed.error().is("23505"));
    EXPECT_EQ(co_await count_by(connection.get()), 0);
    std::ignore = co_await connection->begin(queries(insert_of(1)));
    const auto uncommitted = co_await connection->commit(queries(insert_of(2), insert_of(2)));
    EXPECT_EQ(uncommitted.error().kind, Kind::refused);
    EXPECT_EQ(co_await count_by(connection.get()), 0);
}
TEST(PgConnection, ErrorEndsTransaction) { play(error_in_a_transaction); }

Task<void> misused(World* world) {
    const auto connection = co_await with_schema(world);
    std::ignore = co_await connection->begin(queries(insert_of(1)));
    std::ignore = co_await connection->rollback();
    co_await connection->commit({});
}
TEST(PgConnection, CommittingWithoutATransactionAborts) { EXPECT_DEATH(play(misused), "a transaction is not open"); }

Task<void> scripts(World* world) {
    const auto connection = co_await with_schema(world);
    const auto failed = co_await connection->run_script("INSERT INTO item VALUES (1); SELECT 1/0");
    EXPECT_TRUE(failed.error().is("22012"));
    EXPECT_EQ(co_await count_by(connection.get()), 0);
    const auto done = co_await connection->run_script("INSERT INTO item VALUES (1); INSERT INTO item VALUES (2)");
    EXPECT_TRUE(done.has_value());
    EXPECT_EQ(co_await count_by(connection.get()), 2);
    const auto open = co_await connection->run_script("BEGIN; INSERT INTO item VALUES (3)");
    EXPECT_EQ(open.error().kind, Kind::refused);
    EXPECT_FALSE(connection->is_usable());
}
TEST(PgConnection, ScriptIsOneTransaction) { play(scripts); }

constexpr Statement select_all{"select_all", "SELECT * FROM item"};

// The plan of "SELECT *" no longer fits: the connection is abandoned, the next one prepares again.
Task<void> table_changed(World* world) {
    auto connection = co_await with_schema(world);
    EXPECT_TRUE((co_await connection->run_one({&select_all})).has_value());
    world->cluster.run(world->database, "ALTER TABLE item ADD COLUMN more text");
    EXPECT_TRUE((co_await connection->run_one({&select_all})).error().is("0A000"));
    EXPECT_FALSE(connection->is_usable());
    EXPECT_EQ((co_await connection->run_one({&count})).error().kind, Kind::lost);
}
TEST(PgConnection, AbandonsConnectionWhenPlanNoLongerFits) { play(table_changed); }

constexpr Statement session{"session", R"(
    SELECT current_setting('application_name'), current_setting('statement_timeout'), current_setting('lock_timeout'),
           current_setting('idle_in_transaction_session_timeout'), current_setting('client_encoding'),
           current_setting('TimeZone'), current_setting('enable_seqscan'), current_setting('synchronous_commit'),
           current_setting('jit'))"};

Task<void> session_is_set_up(World* world) {
    world->cluster.run("postgres", "ALTER DATABASE " + world->database + " SET synchronous_commit = 'remote_write'");
    const auto writer = co_await connected(world);
    auto rows = co_await writer->run_one({&session});
    std::vector<std::string> settings;
    for (std::size_t i = 0; i < 9; ++i)
        settings.push_back(rows->text(0, i));
    EXPECT_THAT(settings,
                testing::ElementsAre("fencepost", "3s", "2s", "3s", "UTF8", "UTC", "off", "remote_write", "off"));
    auto options = world->options;
    options.pin_plans = false;
    const auto reader = co_await connected(world, options);
    rows = co_await reader->run_one({&session});
    EXPECT_EQ(rows->text(0, 6), "on");
}
TEST(PgConnection, ConfiguresSession) { play(session_is_set_up); }

}  // namespace
}  // namespace fencepost::store::pg
