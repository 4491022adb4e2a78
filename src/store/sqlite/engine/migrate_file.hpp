// Migrates a SQLite file without opening it as a store: for `fencepost migrate`.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/migrations.hpp"
#include "store/sqlite/engine/sqlite_options.hpp"

namespace fencepost::store {

/// The migrations that migrate_file() would apply. Writes nothing: a missing file is not created, and another program's
/// file is left unchanged. The error is a sentence that says what to do.
[[nodiscard]] Result<std::vector<Migration>, std::string> pending_in_file(SqliteOptions options,
                                                                          std::vector<Migration> known);

/// Creates the file if needed and applies pending migrations, each in its own transaction; concurrent processes apply
/// them once. The error is a sentence that says what to do.
[[nodiscard]] Status<std::string> migrate_file(SqliteOptions options, std::vector<Migration> known,
                                               const OnApplied& on_applied);

}  // namespace fencepost::store
