// The blocks of a submitter's settled but not finalized transactions, one row per block (see the migration).
#pragma once

#include <vector>

#include "ports/store/lane_store.hpp"
#include "store/sqlite/engine/sqlite_database.hpp"
#include "store/sqlite/lease_rows.hpp"

namespace fencepost::store::sqlite {

/// Call after the transactions were written.
void note_settled_blocks(Database& database, const HeldFence& held, const std::vector<TxUpdate>& updates);
/// Everything below this nonce is finalized.
void forget_settled_blocks(Database& database, const HeldFence& held, Nonce below);

/// By height, from this nonce on. A block that some transactions have left is derived from the rows of the remaining
/// ones.
[[nodiscard]] std::vector<SettledBlock> settled_blocks(Database& database, const SubmitterId& submitter, Nonce from);
/// Settled transactions that a reorg removed and that are in no block now.
[[nodiscard]] std::vector<TxId> removed_settled(Database& database, const SubmitterId& submitter, Nonce from);

}  // namespace fencepost::store::sqlite
