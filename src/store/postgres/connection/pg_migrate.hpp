// Brings a PostgreSQL database to the schema that this program knows, and tells a node that starts whether it has it.
#pragma once

#include <string>
#include <vector>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "store/migrations.hpp"
#include "store/postgres/connection/pg_connection.hpp"

namespace fencepost::store::pg {

/// What migrate() would apply; writes nothing. Every error here is a sentence that says what to do.
[[nodiscard]] Task<Result<std::vector<Migration>, std::string>> read_pending(Executor executor,
                                                                             ConnectionOptions options,
                                                                             std::vector<Migration> known);

/// Applies what is pending, each migration in a transaction of its own, under a lock of the database: nodes that do it
/// at once do it once. After an error nothing, or only whole migrations, were applied. The options' time-outs are those
/// of a lane; a migration takes as long as it takes, and waits for another one that is under way.
[[nodiscard]] Task<Status<std::string>> migrate(Executor executor, ConnectionOptions options,
                                                std::vector<Migration> known, OnApplied on_applied = {});

/// Whether a node can work with the database as it is. It does not migrate by itself: that is a person's decision.
[[nodiscard]] Task<Status<std::string>> check_schema(Executor executor, ConnectionOptions options,
                                                     std::vector<Migration> known);

}  // namespace fencepost::store::pg
