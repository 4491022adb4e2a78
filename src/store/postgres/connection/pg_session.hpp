// What a new session is told before it is used, and what it must be: a PostgreSQL we know, on which we can write.
#pragma once

#include <optional>

#include "base/async/task.hpp"
#include "store/postgres/connection/pg_connection.hpp"
#include "store/postgres/connection/pg_pipeline.hpp"

namespace fencepost::store::pg {

[[nodiscard]] std::optional<PgError> check_version(const PGconn* connection);

/// Sets the session up and checks that the server takes writes.
[[nodiscard]] Task<PgResult<void>> set_up_session(Pipeline* pipeline, ConnectionOptions options);

}  // namespace fencepost::store::pg
