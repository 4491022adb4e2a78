// Opens a connection from a URL; failures are sentences that tell operators what to correct.
#pragma once

#include <string>

#include "base/async/task.hpp"
#include "store/postgres/connection/pg_connection.hpp"
#include "store/postgres/connection/pg_libpq.hpp"

namespace fencepost::store::pg {

/// Establishes a connection. libpq blocks while it resolves a host name: use addresses where name resolution can be
/// slow.
[[nodiscard]] Task<PgResult<ConnectionPtr>> establish(Executor executor, ConnectionOptions options);

/// The address of a connection without the password: "host:5432/database", or the folder of a Unix socket.
[[nodiscard]] std::string place_of(const PGconn* connection);

}  // namespace fencepost::store::pg
