// Updates nonces of a shared key as part of a lane's write on SQLite: in the same transaction as the change itself, so
// that a nonce is in flight exactly when its bytes are recorded.
#pragma once

#include "domain/window/nonce_allocation.hpp"
#include "store/sqlite/engine/sqlite_database.hpp"
#include "store/sqlite/lease_rows.hpp"

namespace fencepost::store::sqlite {

/// False when the allocation belongs to another owner, is not in the required state, or was retired and deleted.
[[nodiscard]] bool mark_nonce(Database& database, const HeldFence& held, const NonceMark& mark);

}  // namespace fencepost::store::sqlite
