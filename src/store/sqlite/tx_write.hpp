// Writes the rows of one transaction.
#pragma once

#include "ports/store/lane_store.hpp"
#include "store/sqlite/engine/sqlite_database.hpp"
#include "store/sqlite/lease_rows.hpp"

namespace fencepost::store::sqlite {

/// False when something did not match; some of it may then have been written, and the caller rolls back.
[[nodiscard]] bool write_transaction(Database& database, const HeldFence& held, const TxUpdate& update);

}  // namespace fencepost::store::sqlite
