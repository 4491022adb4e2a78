// Migrating a SQLite file without using it as a store: what `fencepost migrate` does.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/migrations.hpp"
#include "store/sqlite/engine/sqlite_options.hpp"

namespace fencepost::store {

/// What migrate_file() would apply. Writes nothing: a file that is not there is not made, one of another program stays
/// as it is. The error is a sentence that says what to do.
[[nodiscard]] Result<std::vector<Migration>, std::string> pending_in_file(SqliteOptions options,
                                                                          std::vector<Migration> known);

/// Makes the file if it is not there and applies what is pending, each migration in a transaction of its own; two
/// processes that do it at once do it once. The error is a sentence that says what to do.
[[nodiscard]] Status<std::string> migrate_file(SqliteOptions options, std::vector<Migration> known,
                                               const OnApplied& on_applied);

}  // namespace fencepost::store
