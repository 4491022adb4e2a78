// What a lane's write says about the nonces of a shared key, on SQLite: in the same transaction as the change it
// follows from, so that a nonce is in flight exactly when the bytes at it are on record.
#pragma once

#include "domain/window/nonce_allocation.hpp"
#include "store/sqlite/engine/sqlite_database.hpp"
#include "store/sqlite/lease_rows.hpp"

namespace fencepost::store::sqlite {

/// False when the allocation is somebody else's, not as it must be for this, or done with and deleted.
[[nodiscard]] bool mark_nonce(Database& database, const HeldFence& held, const NonceMark& mark);

}  // namespace fencepost::store::sqlite
