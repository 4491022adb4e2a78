// Configures a new session and verifies that the server is a supported, writable PostgreSQL.
#pragma once

#include <optional>

#include "base/async/task.hpp"
#include "store/postgres/connection/pg_connection.hpp"
#include "store/postgres/connection/pg_pipeline.hpp"

namespace fencepost::store::pg {

[[nodiscard]] std::optional<PgError> check_version(const PGconn* connection);

/// Configures the session and verifies that the server accepts writes.
[[nodiscard]] Task<PgResult<void>> set_up_session(Pipeline* pipeline, ConnectionOptions options);

}  // namespace fencepost::store::pg
