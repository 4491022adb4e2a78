// The fencepost migrate command, mostly on PostgreSQL: output and exit code.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/migrations.hpp"
#include "store/sqlite/engine/sqlite_database.hpp"
#include "support/pg_cluster.hpp"
#include "support/temp_folder.hpp"

namespace fencepost::contract {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct Ended {
    int code = -1;
    std::string said;  // to stdout and stderr
};

// One line per migration of the program: version and name.
std::string of_each(std::string_view line) {
    std::string text;
    for (const auto& migration : store::migrations_of("postgres"))
        text += fmt::format(fmt::runtime(line), migration.version, migration.name);
    return text;
}

class MigrateCommand : public testing::Test {
protected:
    Ended call(const std::string& url, const std::vector<std::string>& options = {}) {
        auto child = started(url, options, "log");
        const int code = child->wait();
        return {code, taken("log")};
    }
    std::unique_ptr<test::ChildProcess> started(const std::string& url, const std::vector<std::string>& options,
                                                const std::string& log) {
        std::vector<std::string> command{FENCEPOST_PROGRAM, "migrate", "--database", url};
        command.insert(command.end(), options.begin(), options.end());
        return std::make_unique<test::ChildProcess>(command, test::ChildOptions{.log = file(log)});
    }
    std::string taken(const std::string& log) {
        std::ostringstream text;
        text << std::ifstream(file(log)).rdbuf();
        std::filesystem::remove(file(log));
        return text.str();
    }
    void refuses(const std::string& url, const std::string& why) {
        const auto [code, said] = call(url);
        EXPECT_EQ(code, 1) << said;
        EXPECT_THAT(said, AllOf(StartsWith("fencepost: "), HasSubstr(why), EndsWith(".\n"), Not(HasSubstr("secret"))));
        EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
    }

    test::PgCluster& cluster_ = test::PgCluster::shared();
    std::string database_ = cluster_.fresh_database();
    std::string url_ = cluster_.url(database_);

private:
    [[nodiscard]] std::string file(const std::string& log) const {
        return (cluster_.folder() / (database_ + "." + log)).string();
    }
};

TEST_F(MigrateCommand, ReportsPlanAppliesItAndReportsDone) {
    EXPECT_EQ(call(url_, {"--status"}).said, of_each("{0} {1} pending\n"));
    EXPECT_EQ(call(url_, {"--dry-run"}).said, of_each("would apply {1}\n"));
    EXPECT_EQ(cluster_.value(database_, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "0");
    const auto [code, said] = call(url_);
    EXPECT_EQ(code, 0);
    EXPECT_EQ(said, of_each("applied {1}\n"));
    EXPECT_EQ(call(url_).said, "nothing to do\n");
    EXPECT_EQ(call(url_, {"--dry-run"}).said, "nothing to do\n");
    EXPECT_EQ(call(url_, {"--status"}).said, of_each("{0} {1} applied\n"));
}

TEST_F(MigrateCommand, ConcurrentCommandsMigrateOnce) {
    const auto one = started(url_, {}, "one");
    const auto two = started(url_, {}, "two");
    EXPECT_EQ(one->wait(), 0);
    EXPECT_EQ(two->wait(), 0);
    const std::set<std::string> said{taken("one"), taken("two")};
    EXPECT_EQ(said, (std::set<std::string>{of_each("applied {1}\n"), "nothing to do\n"}));
}

TEST_F(MigrateCommand, RejectsNewerAndChangedSchema) {
    ASSERT_EQ(call(url_).code, 0);
    cluster_.run(database_, "INSERT INTO schema_migration VALUES (99, 'V99__x.sql', 'x', now())");
    refuses(url_, fmt::format("is at schema version 99, this program supports only {}",
                              store::migrations_of("postgres").size()));
    cluster_.run(database_,
                 "DELETE FROM schema_migration WHERE version = 99;"
                 "UPDATE schema_migration SET checksum = 'x'");
    refuses(url_, "V1__init.sql in the database differs");
}

TEST_F(MigrateCommand, ExplainsFailureInOneSentence) {
    cluster_.run("postgres", "DROP ROLE IF EXISTS guarded; CREATE ROLE guarded LOGIN PASSWORD 'right'");
    refuses(cluster_.url(database_, "guarded") + "&password=secret", "check the user and the password");
    refuses("postgresql://u:secret@127.0.0.1:1/db", "check that PostgreSQL runs there");
    refuses("postgresql://u:secret@[::1/db", "is not a valid PostgreSQL URL");
    refuses(cluster_.url("no_such_database"), "there is no database \"no_such_database\"");
    cluster_.run("postgres", "ALTER DATABASE " + database_ + " SET default_transaction_read_only = on");
    refuses(url_, "is a read-only standby; use the primary's address");
}

TEST_F(MigrateCommand, RejectsStandby) {
    const test::PgCluster standby({.standby_of = &cluster_});
    refuses(standby.url(database_), "is a read-only standby; use the primary's address");
}

TEST_F(MigrateCommand, LeavesNothingOnFullDisk) {
    test::PgCluster cluster({.small_disk_mb = 16});
    const auto database = cluster.fresh_database();
    cluster.move_to_small_disk(database);
    cluster.fill_small_disk(database);
    refuses(cluster.url(database), "the database's disk is full");
    EXPECT_EQ(cluster.value(database, "SELECT string_agg(tablename, ' ') FROM pg_tables WHERE schemaname = 'public'"),
              "filler");
    cluster.run(database, "DROP TABLE filler");
    EXPECT_EQ(call(cluster.url(database)).said, of_each("applied {1}\n"));
}

// Another process locks the file for three seconds, which is longer than the default wait.
TEST_F(MigrateCommand, WaitsForBusySqliteFileUpToTimeout) {
    using namespace std::chrono_literals;
    const test::TempFolder folder;
    const auto path = (folder.path() / "busy.db").string();
    store::sqlite::Database file(path, [] { return UnixTime{}; }, 1s);
    std::optional<store::sqlite::DbTransaction> busy(std::in_place, file, store::sqlite::DbTransaction::Kind::write);
    EXPECT_THAT(call(path, {"--database.busyTimeout", "100ms"}).said, HasSubstr("is locked by another process"));
    const auto patient = started(path, {"--database.busyTimeout", "5m"}, "patient");
    std::this_thread::sleep_for(3s);
    busy.reset();
    EXPECT_EQ(patient->wait(), 0);
    EXPECT_THAT(taken("patient"), StartsWith("applied V1"));
}

}  // namespace
}  // namespace fencepost::contract
