// The rows of an intent that is handed in again. Apart from accepting, because it happens under the fence, with the
// write that tells the old transaction of it.
#pragma once

#include "store/sqlite/lease_rows.hpp"

namespace fencepost::store::sqlite {

/// False where it was done before.
[[nodiscard]] bool insert_requeued(Database& database, const HeldFence& held, const TxId& from, const std::string& why);

}  // namespace fencepost::store::sqlite
