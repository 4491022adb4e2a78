// Inserts the rows of a requeued intent. Separate from acceptance, because it happens under the fence, with the write
// that reports the requeue on the old transaction.
#pragma once

#include "store/sqlite/lease_rows.hpp"

namespace fencepost::store::sqlite {

/// False if the intent was already requeued.
[[nodiscard]] bool insert_requeued(Database& database, const HeldFence& held, const TxId& from, const std::string& why);

}  // namespace fencepost::store::sqlite
