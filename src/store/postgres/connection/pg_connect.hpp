// From a URL to a connection that is established, or to a sentence that tells a person what to correct.
#pragma once

#include <string>

#include "base/async/task.hpp"
#include "store/postgres/connection/pg_connection.hpp"
#include "store/postgres/connection/pg_libpq.hpp"

namespace fencepost::store::pg {

/// Establishes a connection. The name of a host is looked up by libpq, which blocks while it does: give addresses where
/// the name service can be slow.
[[nodiscard]] Task<PgResult<ConnectionPtr>> establish(Executor executor, ConnectionOptions options);

/// Where a connection leads, without the password: "host:5432/database", or the folder of a Unix socket.
[[nodiscard]] std::string place_of(const PGconn* connection);

}  // namespace fencepost::store::pg
