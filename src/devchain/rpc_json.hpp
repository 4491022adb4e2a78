// Private to src/devchain: blocks, transactions and receipts as nodes write them.
#pragma once

#include <optional>

#include "devchain/rpc_call.hpp"

namespace fencepost::devchain {

/// With whole transactions, or with their hashes.
[[nodiscard]] Json block_json(const sim::SimBlock& block, const DevLedger& ledger, bool whole);
/// The next block as it would be made now: without a hash.
[[nodiscard]] Json pending_block_json(const DevLedger& ledger, bool whole);
/// Without a place while it waits.
[[nodiscard]] Json transaction_json(const sim::SimTx& transaction, const std::optional<sim::Executed>& place);
[[nodiscard]] Json receipt_json(const sim::Executed& executed);

}  // namespace fencepost::devchain
