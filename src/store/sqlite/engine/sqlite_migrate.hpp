// Migrates a SQLite file to this program's schema.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/migrations.hpp"
#include "store/sqlite/engine/sqlite_database.hpp"

namespace fencepost::store::sqlite {

/// The migrations that migrate() would apply, or why it would refuse; writes nothing. Throws SqliteError.
[[nodiscard]] Result<std::vector<Migration>, std::string> read_pending(Database& database,
                                                                       std::span<const Migration> known);

/// Applies pending migrations, each in its own transaction; concurrent processes apply them once. The error is a
/// sentence that says what to do; nothing, or only whole migrations, were applied then. Throws SqliteError.
[[nodiscard]] Status<std::string> migrate(Database& database, std::span<const Migration> known,
                                          const OnApplied& on_applied = {});

}  // namespace fencepost::store::sqlite
