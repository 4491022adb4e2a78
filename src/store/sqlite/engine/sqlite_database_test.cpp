// Values, statements, transactions and failures of one connection.
#include "store/sqlite/engine/sqlite_database.hpp"

#include <filesystem>
#include <fstream>
#include <future>
#include <sqlite3.h>

#include <gtest/gtest.h>

#include "domain/ids.hpp"
#include "domain/submitter_id.hpp"
#include "domain/tx/transaction_state.hpp"
#include "store/sqlite/test_file.hpp"

namespace fencepost::store::sqlite {
namespace {

using namespace std::chrono_literals;

UnixTime noon() { return UnixTime(12h); }
Database in_memory() { return {":memory:", noon, 0ms}; }

template <typename T>
T there_and_back(Database& database, const T& value) {
    return *find_value<T>(database, "SELECT :value", value);
}

TEST(SqliteDatabase, ValuesRoundTrip) {
    auto database = in_memory();
    TxHash hash;
    hash.data.fill(0xab);
    EXPECT_EQ(there_and_back(database, hash), hash);
    EXPECT_EQ(there_and_back(database, std::int64_t{-5}), -5);
    EXPECT_EQ(there_and_back(database, Nonce(std::numeric_limits<std::int64_t>::max())).value(),
              ~std::uint64_t{0} >> 1U);
    EXPECT_TRUE(there_and_back(database, true));
    EXPECT_EQ(there_and_back(database, std::string("a\0b \xff", 5)), std::string("a\0b \xff", 5));
    EXPECT_EQ(there_and_back(database, Bytes{0, 1, 255}), (Bytes{0, 1, 255}));
    EXPECT_EQ(there_and_back(database, UnixTime::min()), UnixTime::min());
    EXPECT_EQ(there_and_back(database, State::failed_final), State::failed_final);
    EXPECT_EQ(there_and_back(database, NodeId("a")), NodeId("a"));
    const auto id = TxId(Uuid::parse("0192f4a0-0000-7000-8000-00000000000f").value());
    EXPECT_EQ(there_and_back(database, id), id);
    const auto submitter = SubmitterId::evm(1, {});
    EXPECT_EQ(there_and_back(database, submitter), submitter);
}

TEST(SqliteDatabase, EmptyIsNotNull) {
    auto database = in_memory();
    EXPECT_EQ(there_and_back(database, std::string()), "");
    EXPECT_EQ(there_and_back(database, Bytes{}), Bytes{});
    EXPECT_EQ(there_and_back(database, std::optional<Nonce>()), std::nullopt);
    EXPECT_EQ(there_and_back(database, std::optional(Nonce(0))), Nonce(0));
    EXPECT_FALSE(find_value<bool>(database, "SELECT 1 WHERE false"));
}

TEST(SqliteDatabaseDeathTest, AbortsOnIntegerOverflow) {
    auto database = in_memory();
    EXPECT_DEATH((void)there_and_back(database, Nonce(~std::uint64_t{0})), "exceeds a column");
    EXPECT_EQ(bound(Nonce(~std::uint64_t{0})), std::numeric_limits<std::int64_t>::max())
        << "a limit may exceed the range";
}

TEST(SqliteDatabaseDeathTest, InvalidColumnValueAborts) {
    auto database = in_memory();
    EXPECT_DEATH((void)find_value<State>(database, "SELECT 'QUEUE'"), "not a known name");
    EXPECT_DEATH((void)find_value<TxHash>(database, "SELECT x'00'"), "instead of 32");
    EXPECT_DEATH((void)find_value<std::string>(database, "SELECT NULL"), "column 0");
    EXPECT_DEATH(database.run("SELECT :one", 1, 2), "2 values");
}

TEST(SqliteDatabase, CreatesItsFileForTheOwnerOnly) {
    const TestFile file;
    Database(file.path(), noon, 0ms).run("CREATE TABLE t (x INTEGER)");
    EXPECT_EQ(std::filesystem::status(file.path()).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(SqliteDatabase, UsesInjectedClock) {
    auto now = UnixTime(1us);
    Database database(":memory:", [&now] { return now; }, 0ms);
    EXPECT_EQ(find_value<UnixTime>(database, "SELECT fencepost_now()"), UnixTime(1us));
    now += 5s;
    EXPECT_EQ(find_value<UnixTime>(database, "SELECT fencepost_now()"), UnixTime(5'000'001us));
    EXPECT_EQ(database.now(), now);
}

TEST(SqliteDatabase, StatementIsReentrant) {
    auto database = in_memory();
    constexpr auto sql = "SELECT value FROM (SELECT 1 AS value UNION ALL SELECT 2) WHERE value >= :from";
    std::vector<int> seen;
    Query outer(database, sql, 1);
    while (outer.step()) {
        Query inner(database, sql, 2);
        while (inner.step())
            seen.push_back((outer.get<int>(0) * 10) + inner.get<int>(0));
    }
    EXPECT_EQ(seen, (std::vector{12, 22}));
}

TEST(SqliteDatabase, UncommittedChangesAreRolledBack) {
    auto database = in_memory();
    database.run_script("CREATE TABLE t (n INTEGER)");
    {
        const DbTransaction transaction(database, DbTransaction::Kind::write);
        EXPECT_EQ(database.run("INSERT INTO t VALUES (1), (2)"), 2U);
    }
    EXPECT_FALSE(database.is_in_transaction());
    DbTransaction transaction(database, DbTransaction::Kind::write);
    Savepoint undone(database);
    database.run("INSERT INTO t VALUES (3)");
    undone.undo();
    Savepoint kept(database);
    database.run("INSERT INTO t VALUES (4)");
    kept.keep();
    transaction.commit();
    EXPECT_EQ(find_value<int>(database, "SELECT sum(n) FROM t"), 4);
}

TEST(SqliteDatabaseDeathTest, UnsettledSavepointAborts) {
    auto database = in_memory();
    EXPECT_DEATH(
        {
            const DbTransaction transaction(database, DbTransaction::Kind::write);
            const Savepoint part(database);
        },
        "neither released nor rolled back");
}

TEST(SqliteDatabase, CommitsAreSynchronousInWal) {
    const TestFile file;
    Database database(file.path(), noon, 0ms);
    EXPECT_EQ(find_value<std::string>(database, "PRAGMA journal_mode"), "wal");
    EXPECT_EQ(find_value<int>(database, "PRAGMA synchronous"), 2);
}

template <typename Act>
SqliteError failure(Act act) {
    try {
        act();
    } catch (const SqliteError& error) {
        return error;
    }
    return {};
}

TEST(SqliteDatabase, WritersOfOneFileExcludeEachOther) {
    const TestFile file;
    Database one(file.path(), noon, 0ms);
    Database two(file.path(), noon, 0ms);
    const DbTransaction writing(one, DbTransaction::Kind::write);
    const auto error = failure([&two] { const DbTransaction also(two, DbTransaction::Kind::write); });
    EXPECT_EQ(error.code, SQLITE_BUSY);
    EXPECT_FALSE(error.outcome_unknown);
}

// SQLite itself does not wait in this case: see keep_log().
TEST(SqliteDatabase, ConcurrentOpensOfNewFileWait) {
    const TestFile file;
    std::ofstream(file.path()).close();
    Database first(file.path(), noon, 0ms, Database::Opening::inspect_only);
    auto writing = std::make_optional<DbTransaction>(first, DbTransaction::Kind::write);
    EXPECT_EQ(failure([&file] { const Database impatient(file.path(), noon, 0ms); }).code, SQLITE_BUSY);

    auto second = std::async(std::launch::async, [&file] {
        Database patient(file.path(), noon, 20s);
        return find_value<std::string>(patient, "PRAGMA journal_mode");
    });
    EXPECT_EQ(second.wait_for(50ms), std::future_status::timeout);
    writing.reset();
    EXPECT_EQ(second.get(), "wal");
}

TEST(SqliteDatabase, FullDiskFailsBeforeCommitWithoutTrace) {
    const TestFile file;
    Database database(file.path(), noon, 0ms);
    database.run_script("CREATE TABLE t (b BLOB); PRAGMA max_page_count = 4");
    const auto error = failure([&database] {
        DbTransaction transaction(database, DbTransaction::Kind::write);
        database.run("INSERT INTO t VALUES (:small)", Bytes(10));
        database.run("INSERT INTO t VALUES (:large)", Bytes(1'000'000));
        transaction.commit();
    });
    EXPECT_EQ(error.code, SQLITE_FULL);
    EXPECT_FALSE(error.outcome_unknown);
    EXPECT_EQ(find_value<int>(database, "SELECT count(*) FROM t"), 0);
    DbTransaction transaction(database, DbTransaction::Kind::write);
    database.run("INSERT INTO t VALUES (:small)", Bytes(10));
    transaction.commit();
    EXPECT_EQ(find_value<int>(database, "SELECT count(*) FROM t"), 1) << "smaller writes still succeed";
}

}  // namespace
}  // namespace fencepost::store::sqlite
