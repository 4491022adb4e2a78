// Applies new heads to receipts: confirmations grow, or a reorg removes a block and the same bytes are sent again. Only
// positive evidence rolls a receipt back: another block at that height (law 5). The cost of a head depends on the
// blocks it changes, not on the number of waiting transactions.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Chain changes since the lane last processed them.
struct HeadUpdate {
    /// Blocks may have changed from this height up.
    BlockNumber from{};
    /// Known blocks were removed.
    bool is_reorg = false;
    /// Caused by a new block; otherwise the lane processes what it knew.
    bool is_new_block = false;
};

/// Touches what the new head changes: blocks that reached their depth, and blocks that a reorg removed. Removed settled
/// transactions are read back from the store, and finalized ones are dropped.
void handle_head(LaneContext& lane, LaneMemory& memory, const HeadUpdate& news);

/// Rolls its receipt back if its block is no longer on the chain.
void roll_back_if_orphaned(LaneContext& lane, const LaneMemory& memory, Tracked& tracked, Turn& turn);

void handle_deep_block(LaneContext& lane, LaneMemory& memory, const DeepBlockRead& read);
void handle_read_back(LaneContext& lane, LaneMemory& memory, const BlockReadBack& read);

/// Whether the receipt is final by the configured rule.
[[nodiscard]] bool is_final_now(const LaneContext& lane, const LaneMemory& memory, const Tracked& tracked);
/// The confirmations on which that is based.
[[nodiscard]] std::vector<BlockRef> confirmations_of(const LaneContext& lane, const LaneMemory& memory,
                                                     const Tracked& tracked);

}  // namespace fencepost::lane
