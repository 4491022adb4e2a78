// Reads and applies pending migrations.
#include "store/sqlite/engine/sqlite_migrate.hpp"

namespace fencepost::store::sqlite {
namespace {

bool has_table(Database& database, std::string_view name) {
    return find_value<bool>(database, "SELECT true FROM sqlite_schema WHERE type = 'table' AND name = :name", name)
        .has_value();
}

bool is_empty(Database& database) { return !find_value<bool>(database, "SELECT true FROM sqlite_schema").has_value(); }

void create_ledger(Database& database) {
    database.run(R"sql(
CREATE TABLE schema_migration (
    version    INTEGER NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    checksum   TEXT    NOT NULL,
    applied_at INTEGER NOT NULL
) STRICT
)sql");
}

std::vector<AppliedMigration> applied_migrations(Database& database) {
    std::vector<AppliedMigration> applied;
    Query rows(database, "SELECT version, checksum FROM schema_migration ORDER BY version");
    while (rows.step())
        applied.push_back({rows.get<std::uint32_t>(0), rows.get<std::string>(1)});
    return applied;
}

void apply(Database& database, const Migration& migration) {
    database.run_script(migration.sql);
    database.run(R"sql(
INSERT INTO schema_migration (version, name, checksum, applied_at)
VALUES (:version, :name, :checksum, fencepost_now())
)sql",
                 migration.version, migration.name, migration.checksum);
}

// Reads what is pending inside the transaction that applies it, which is the exclusive writer from its start: another
// migrating process waits and then finds it done. Empty when nothing is left.
Result<std::optional<Migration>, std::string> apply_next(Database& database, std::span<const Migration> known) {
    DbTransaction transaction(database, DbTransaction::Kind::write);
    const auto rest = read_pending(database, known);
    if (!rest) return err(rest.error());
    if (rest->empty()) return std::nullopt;
    if (!has_table(database, "schema_migration")) create_ledger(database);
    apply(database, rest->front());
    transaction.commit();
    return rest->front();
}

}  // namespace

Result<std::vector<Migration>, std::string> read_pending(Database& database, std::span<const Migration> known) {
    if (has_table(database, "schema_migration")) return pending(known, applied_migrations(database));
    if (is_empty(database)) return pending(known, {});
    return err(std::string("the file is a database of another program: use another file"));
}

Status<std::string> migrate(Database& database, std::span<const Migration> known, const OnApplied& on_applied) {
    for (;;) {
        const auto applied = apply_next(database, known);
        if (!applied) return err(applied.error());
        if (!*applied) return {};
        if (on_applied) on_applied(**applied);
    }
}

}  // namespace fencepost::store::sqlite
