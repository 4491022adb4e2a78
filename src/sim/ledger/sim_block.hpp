// A block of the simulated chain with its results. Blocks of abandoned branches are kept for endpoints that have not
// seen the reorg yet.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "domain/tx/receipt.hpp"
#include "ports/chain.hpp"
#include "sim/ledger/sim_state.hpp"
#include "sim/ledger/sim_tx.hpp"

namespace fencepost::sim {

struct SimBlock {
    const SimBlock* parent = nullptr;  // null for the first block
    std::shared_ptr<const Block> block;
    std::vector<SimTxPtr> transactions;
    std::vector<Receipt> receipts;     // one per transaction
    std::vector<std::string> reasons;  // failure reasons; empty for successful transactions
    Gas gas_used;
    /// The state after the block. Blocks without changes share it.
    std::shared_ptr<const SimState> state;
    /// As known to a node whose head is this block.
    std::optional<BlockNumber> safe;
    std::optional<BlockNumber> finalized;

    [[nodiscard]] const BlockRef& ref() const { return block->ref; }
    [[nodiscard]] BlockNumber number() const { return block->ref.number; }
    [[nodiscard]] const BlockHash& hash() const { return block->ref.hash; }
};

}  // namespace fencepost::sim
