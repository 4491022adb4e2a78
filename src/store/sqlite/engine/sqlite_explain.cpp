// Advice for each SQLite failure.
#include "store/sqlite/engine/sqlite_explain.hpp"

#include <sqlite3.h>

#include <fmt/format.h>

namespace fencepost::store::sqlite {

std::string explain(const std::string& path, const SqliteError& error) {
    switch (error.code) {
        case SQLITE_CANTOPEN:
        case SQLITE_PERM:
        case SQLITE_AUTH:
            return fmt::format("{} cannot be opened: check that its folder exists and that this user may write there",
                               path);
        case SQLITE_NOTADB:
            return fmt::format("{} is not a SQLite database: use another file, or move this one away", path);
        case SQLITE_READONLY:
            return fmt::format("{} is read-only: let this user write to it and to its folder", path);
        case SQLITE_FULL:
            return fmt::format("there is no space left for {}: free some on its disk", path);
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return fmt::format("{} is locked by another process: stop it, or use another file", path);
        case SQLITE_CORRUPT:
            return fmt::format("{} is damaged ({}): restore it from a backup", path, error.what);
        default:
            return fmt::format("{} cannot be used ({}): check its disk and the system log", path, error.what);
    }
}

}  // namespace fencepost::store::sqlite
