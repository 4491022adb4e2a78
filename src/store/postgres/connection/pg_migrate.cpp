// Applies migrations under an advisory lock.
#include "store/postgres/connection/pg_migrate.hpp"

#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace fencepost::store::pg {
namespace {

using namespace std::chrono_literals;
using Pending = Result<std::vector<Migration>, std::string>;

constexpr auto longest_migration = 30min;
constexpr auto longest_wait = 1min;

// Advisory lock for concurrent migrations: the second node waits here and then finds the work done. Bound to the
// connection, so a node that dies releases it. The number is "fencpost" in ASCII; any unused number would do.
constexpr Statement lock_migrations{"migrate_lock", R"sql(
SELECT pg_advisory_lock(x'66656e63706f7374'::bigint)
)sql"};

constexpr Statement find_ledger{"migrate_find", R"sql(
SELECT to_regclass('schema_migration') IS NOT NULL
)sql"};

constexpr Statement read_ledger{"migrate_read", R"sql(
SELECT version, checksum
FROM schema_migration
ORDER BY version
)sql"};

// The script that applies a migration takes no parameters; it reads them from here.
constexpr Statement announce{"migrate_announce", R"sql(
SELECT set_config('fencepost.version', $1, false),
       set_config('fencepost.name', $2, false),
       set_config('fencepost.checksum', $3, false)
)sql"};

constexpr auto create_ledger = R"sql(
CREATE TABLE schema_migration (
    version    integer     NOT NULL PRIMARY KEY,
    name       text        NOT NULL,
    checksum   text        NOT NULL,
    applied_at timestamptz NOT NULL
);
)sql";

constexpr auto record = R"sql(
;
INSERT INTO schema_migration (version, name, checksum, applied_at)
VALUES (current_setting('fencepost.version')::integer, current_setting('fencepost.name'),
        current_setting('fencepost.checksum'), clock_timestamp());
)sql";

std::string explain(const PgError& error) {
    if (error.kind != PgError::Kind::refused) {
        return fmt::format("the connection to the database broke ({}): run fencepost migrate again when it is back",
                           error.what);
    }
    if (error.is("53100")) {  // disk_full
        return fmt::format("the database's disk is full ({}): free some space there and run it again", error.what);
    }
    if (error.is("42501")) {  // insufficient_privilege
        return fmt::format("the database does not allow it ({}): let this user create tables, or use another one",
                           error.what);
    }
    if (error.is("55P03")) {  // lock_not_available
        return "another program holds the migration lock: wait until it ends, or stop it, and run this again";
    }
    return fmt::format("the database refuses ({}): check its log, correct the cause and run it again", error.what);
}

std::string explain(const Migration& migration, const PgError& error) {
    const auto became = error.kind == PgError::Kind::unknown ? "may have been applied" : "was not applied";
    return fmt::format("migration {} {}: {}", migration.name, became, explain(error));
}

ConnectionOptions for_migration(ConnectionOptions options) {
    options.application_name = "fencepost migrate";
    options.statement_timeout = longest_migration;
    options.answer_timeout = longest_migration + longest_wait;
    options.lock_timeout = longest_wait;
    options.pin_plans = false;
    return options;
}

struct Ledger {
    bool exists = false;
    std::vector<AppliedMigration> applied{};
};

Task<PgResult<Ledger>> read(Connection* connection) {
    Ledger ledger;
    const auto found = co_await connection->run_one({&find_ledger});
    if (!found) co_return err(found.error());
    ledger.exists = found->boolean(0, 0);
    if (!ledger.exists) co_return ledger;
    const auto rows = co_await connection->run_one({&read_ledger});
    if (!rows) co_return err(rows.error());
    for (std::size_t row = 0; row < rows->size(); ++row) {
        ledger.applied.push_back({static_cast<std::uint32_t>(rows->integer(row, 0)), rows->text(row, 1)});
    }
    co_return ledger;
}

// The ledger row is written in the transaction of its migration; the first migration's also creates the table.
Task<PgResult<void>> apply(Connection* connection, Migration migration, bool ledger_exists) {
    const auto announced = co_await connection->run_one(
        {&announce, Params().add(std::to_string(migration.version)).add(migration.name).add(migration.checksum)});
    if (!announced) co_return err(announced.error());
    co_return co_await connection->run_script((ledger_exists ? "" : create_ledger) + migration.sql + record);
}

}  // namespace

Task<Pending> read_pending(Executor executor, ConnectionOptions options, std::vector<Migration> known) {
    const auto connection = co_await Connection::connect(executor, std::move(options));
    if (!connection) co_return err(connection.error().what);
    const auto ledger = co_await read(connection->get());
    if (!ledger) co_return err(explain(ledger.error()));
    co_return pending(known, ledger->applied);
}

Task<Status<std::string>> migrate(Executor executor, ConnectionOptions options, std::vector<Migration> known,
                                  OnApplied on_applied) {
    const auto connection = co_await Connection::connect(executor, for_migration(std::move(options)));
    if (!connection) co_return err(connection.error().what);
    const auto locked = co_await (*connection)->run_one({&lock_migrations});
    if (!locked) co_return err(explain(locked.error()));
    auto ledger = co_await read(connection->get());
    if (!ledger) co_return err(explain(ledger.error()));
    const auto rest = pending(known, ledger->applied);
    if (!rest) co_return err(rest.error());
    for (const auto& migration : *rest) {
        const auto applied = co_await apply(connection->get(), migration, ledger->exists);
        if (!applied) co_return err(explain(migration, applied.error()));
        ledger->exists = true;
        if (on_applied) on_applied(migration);
    }
    co_return Status<std::string>{};
}

Task<Status<std::string>> check_schema(Executor executor, ConnectionOptions options, std::vector<Migration> known) {
    const auto rest = co_await read_pending(executor, std::move(options), std::move(known));
    if (!rest) co_return err(rest.error());
    if (rest->empty()) co_return Status<std::string>{};
    co_return err(fmt::format("the database lacks migration {}{}: run fencepost migrate with the same configuration",
                              rest->front().name,
                              rest->size() > 1 ? fmt::format(" and {} more", rest->size() - 1) : ""));
}

}  // namespace fencepost::store::pg
