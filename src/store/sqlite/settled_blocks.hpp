// Where a submitter's settled transactions are that are not finalized, one row for each block (see the migration).
#pragma once

#include <vector>

#include "ports/store/lane_store.hpp"
#include "store/sqlite/engine/sqlite_database.hpp"
#include "store/sqlite/lease_rows.hpp"

namespace fencepost::store::sqlite {

/// After the transactions were written.
void note_settled_blocks(Database& database, const HeldFence& held, const std::vector<TxUpdate>& updates);
/// Everything below this nonce is finalized.
void forget_settled_blocks(Database& database, const HeldFence& held, Nonce below);

/// By height, from this nonce on. A block that some have left is read from the rows of those that have not.
[[nodiscard]] std::vector<SettledBlock> settled_blocks(Database& database, const SubmitterId& submitter, Nonce from);
/// Settled ones that a reorg removed and that are in no block now.
[[nodiscard]] std::vector<TxId> removed_settled(Database& database, const SubmitterId& submitter, Nonce from);

}  // namespace fencepost::store::sqlite
