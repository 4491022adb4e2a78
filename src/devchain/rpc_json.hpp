// Private to src/devchain: blocks, transactions and receipts in the JSON form of Ethereum nodes.
#pragma once

#include <optional>

#include "devchain/rpc_call.hpp"

namespace fencepost::devchain {

/// With full transactions, or with their hashes only.
[[nodiscard]] Json block_json(const sim::SimBlock& block, const DevLedger& ledger, bool whole);
/// The next block if it were mined now; without a hash.
[[nodiscard]] Json pending_block_json(const DevLedger& ledger, bool whole);
/// `place` is none while the transaction is pending.
[[nodiscard]] Json transaction_json(const sim::SimTx& transaction, const std::optional<sim::Executed>& place);
[[nodiscard]] Json receipt_json(const sim::Executed& executed);

}  // namespace fencepost::devchain
