// Opens the store.
#include "store/sqlite/sqlite_store.hpp"

#include <sqlite3.h>

#include <fmt/format.h>

#include "store/sqlite/engine/sqlite_engine.hpp"
#include "store/sqlite/engine/sqlite_explain.hpp"
#include "store/sqlite/engine/sqlite_migrate.hpp"

namespace fencepost::store {

SqliteStore::SqliteStore(std::unique_ptr<sqlite::Engine> engine) : engine_(std::move(engine)) {}
SqliteStore::~SqliteStore() = default;

Result<std::unique_ptr<SqliteStore>, std::string> SqliteStore::open(SqliteOptions options) {
    try {
        auto database = std::make_unique<sqlite::Database>(options.path, std::move(options.now), options.busy_timeout);
        if (database->is_read_only()) throw sqlite::SqliteError{SQLITE_READONLY, "read-only"};
        const auto migrated = sqlite::migrate(*database, migrations_of("sqlite"));
        if (!migrated) return err(fmt::format("{}: {}", options.path, migrated.error()));
        auto engine = std::make_unique<sqlite::Engine>(std::move(database), options.execution);
        return std::unique_ptr<SqliteStore>(new SqliteStore(std::move(engine)));
    } catch (const sqlite::SqliteError& error) {
        return err(sqlite::explain(options.path, error));
    }
}

}  // namespace fencepost::store
