// Opens a SQLite file for migration only.
#include "store/sqlite/engine/migrate_file.hpp"

#include <filesystem>
#include <sqlite3.h>

#include <fmt/format.h>

#include "store/sqlite/engine/sqlite_explain.hpp"
#include "store/sqlite/engine/sqlite_migrate.hpp"

namespace fencepost::store {
namespace {

using sqlite::Database;

bool is_there(const std::string& path) {
    std::error_code ignored;  // opening the file will report it
    return std::filesystem::exists(path, ignored);
}

std::string about(const std::string& path, const std::string& why) { return fmt::format("{}: {}", path, why); }

}  // namespace

Result<std::vector<Migration>, std::string> pending_in_file(SqliteOptions options, std::vector<Migration> known) {
    if (!is_there(options.path)) return known;
    try {
        Database database(options.path, std::move(options.now), options.busy_timeout, Database::Opening::inspect_only);
        auto rest = sqlite::read_pending(database, known);
        if (!rest) return err(about(options.path, rest.error()));
        return rest;
    } catch (const sqlite::SqliteError& error) {
        return err(sqlite::explain(options.path, error));
    }
}

Status<std::string> migrate_file(SqliteOptions options, std::vector<Migration> known, const OnApplied& on_applied) {
    // Opening the file for use would already modify another program's file.
    if (const auto looked = pending_in_file(options, known); !looked) return err(looked.error());
    try {
        Database database(options.path, std::move(options.now), options.busy_timeout);
        if (database.is_read_only()) throw sqlite::SqliteError{SQLITE_READONLY, "read-only"};
        const auto migrated = sqlite::migrate(database, known, on_applied);
        if (!migrated) return err(about(options.path, migrated.error()));
        return {};
    } catch (const sqlite::SqliteError& error) {
        return err(sqlite::explain(options.path, error));
    }
}

}  // namespace fencepost::store
