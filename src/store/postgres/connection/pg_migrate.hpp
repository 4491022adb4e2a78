// Migrates a PostgreSQL database to this program's schema, and checks the schema at start-up.
#pragma once

#include <string>
#include <vector>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "store/migrations.hpp"
#include "store/postgres/connection/pg_connection.hpp"

namespace fencepost::store::pg {

/// The migrations that migrate() would apply; writes nothing. Every error here is a sentence that says what to do.
[[nodiscard]] Task<Result<std::vector<Migration>, std::string>> read_pending(Executor executor,
                                                                             ConnectionOptions options,
                                                                             std::vector<Migration> known);

/// Applies pending migrations, each in its own transaction, under a database lock, so that concurrent nodes apply them
/// once. After an error nothing, or only whole migrations, were applied. The options' timeouts do not apply: a
/// migration may take long, and waits for a concurrent one.
[[nodiscard]] Task<Status<std::string>> migrate(Executor executor, ConnectionOptions options,
                                                std::vector<Migration> known, OnApplied on_applied = {});

/// Whether a node can work with the database as it is. Nodes never migrate on their own: operators decide that.
[[nodiscard]] Task<Status<std::string>> check_schema(Executor executor, ConnectionOptions options,
                                                     std::vector<Migration> known);

}  // namespace fencepost::store::pg
