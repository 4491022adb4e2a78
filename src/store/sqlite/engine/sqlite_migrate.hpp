// Brings a SQLite file to the schema that this program knows.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/migrations.hpp"
#include "store/sqlite/engine/sqlite_database.hpp"

namespace fencepost::store::sqlite {

/// What migrate() would apply, or why it would refuse; writes nothing. Throws SqliteError.
[[nodiscard]] Result<std::vector<Migration>, std::string> read_pending(Database& database,
                                                                       std::span<const Migration> known);

/// Applies what is pending, each in a transaction of its own; two processes that do it at once do it once. The error is
/// a sentence that says what to do; then nothing, or only whole migrations, were applied. Throws SqliteError.
[[nodiscard]] Status<std::string> migrate(Database& database, std::span<const Migration> known,
                                          const OnApplied& on_applied = {});

}  // namespace fencepost::store::sqlite
