// Maps connection failures to errors of the Store port.
#pragma once

#include "ports/store/store_error.hpp"
#include "store/postgres/connection/pg_connection.hpp"

namespace fencepost::store {

[[nodiscard]] inline StoreError to_store_error(const pg::PgError& error) {
    return error.kind == pg::PgError::Kind::unknown ? StoreError::unknown_outcome : StoreError::unavailable;
}

}  // namespace fencepost::store
