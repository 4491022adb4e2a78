// A block of the simulated chain with everything it led to. Blocks of lost branches stay, for endpoints that have not
// heard of the reorg yet.
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
    const SimBlock* parent = nullptr;  // none of the first block
    std::shared_ptr<const Block> block;
    std::vector<SimTxPtr> transactions;
    std::vector<Receipt> receipts;     // one per transaction
    std::vector<std::string> reasons;  // why it failed; empty where it did not
    Gas gas_used;
    /// After the block. Blocks in which nothing happened share it.
    std::shared_ptr<const SimState> state;
    /// As one who has this block for its head knows them.
    std::optional<BlockNumber> safe;
    std::optional<BlockNumber> finalized;

    [[nodiscard]] const BlockRef& ref() const { return block->ref; }
    [[nodiscard]] BlockNumber number() const { return block->ref.number; }
    [[nodiscard]] const BlockHash& hash() const { return block->ref.hash; }
};

}  // namespace fencepost::sim
