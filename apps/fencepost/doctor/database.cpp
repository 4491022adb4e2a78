#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "doctor/checks.hpp"
#include "doctor/clock_difference.hpp"
#include "store/postgres/connection/pg_migrate.hpp"
#include "store/sqlite/engine/migrate_file.hpp"

namespace fencepost::doctor {
namespace {

namespace pg = store::pg;

constexpr pg::Statement read_time{.name = "doctor_time", .sql = "SELECT clock_timestamp()"};

using Migrations = std::vector<store::Migration>;

Finding migrations_applied() { return good("migrations", "the schema matches this program"); }

Finding judge_migrations_of_postgres(const Migrations& pending) {
    if (pending.empty()) return migrations_applied();
    return broken("migrations", fmt::format("{} pending, the first is {}", pending.size(), pending.front().name),
                  "run fencepost migrate with the same configuration");
}

// A SQLite file belongs to one node, which migrates it when it opens it.
Finding judge_migrations_of_sqlite(const Migrations& pending) {
    if (pending.empty()) return migrations_applied();
    return good("migrations",
                fmt::format("fencepost serve will apply {}, the first is {}", pending.size(), pending.front().name));
}

Task<Finding> check_time(Executor executor, Clock* clock, pg::ConnectionOptions options) {
    const std::string subject = "database time";
    auto connection = co_await pg::Connection::connect(executor, std::move(options));
    if (!connection) co_return broken(subject, connection.error().what, "see above");
    const auto begun = clock->monotonic();
    const auto rows = co_await (*connection)->run_one({.statement = &read_time});
    const auto took = clock->monotonic() - begun;
    if (!rows) co_return broken(subject, rows.error().what, "see the server's log");
    co_return judge_clock_difference(rows->time(0, 0), clock->unix_now(), took);
}

Task<Findings> check_postgres(Executor executor, Clock* clock, pg::ConnectionOptions options) {
    Findings findings;
    const auto pending = co_await pg::read_pending(executor, options, store::migrations_of("postgres"));
    if (!pending) {
        findings.push_back(broken("database", pending.error(), "check database.url and that the server runs"));
        co_return findings;
    }
    findings.push_back(good("database", "PostgreSQL answers"));
    findings.push_back(judge_migrations_of_postgres(*pending));
    findings.push_back(co_await check_time(executor, clock, std::move(options)));
    co_return findings;
}

Findings check_sqlite(const std::string& path, Clock* clock) {
    const auto pending = store::pending_in_file({.path = path, .now = [clock] { return clock->unix_now(); }},
                                                store::migrations_of("sqlite"));
    if (!pending) return {broken("database", pending.error(), "check database.url")};
    return {good("database", fmt::format("SQLite, {}: single node only", path)), judge_migrations_of_sqlite(*pending)};
}

}  // namespace

Task<Findings> check_database(Executor executor, Clock* clock, config::Database database) {
    switch (database.name.kind) {
        case config::DatabaseName::Kind::postgres:
            co_return co_await check_postgres(executor, clock, database.postgres.connection);
        case config::DatabaseName::Kind::sqlite:
            co_return check_sqlite(database.name.place, clock);
    }
    std::unreachable();
}

}  // namespace fencepost::doctor
