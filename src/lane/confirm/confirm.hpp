// Follows the chain with every receipt: blocks come on top of it, or a reorg takes its block away and the same bytes
// are sent again. Only positive evidence takes anything back: another block at that height (law 5). The cost of a new
// head is that of the blocks it changes, however many transactions wait for depth or for finality.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// What a lane was told of the chain since it last looked.
struct HeadNews {
    /// From this height up blocks may be others than before.
    BlockNumber from{};
    /// Some that were known are gone.
    bool is_reorg = false;
    /// By a new block; otherwise the lane looks at what it knew.
    bool is_told = false;
};

/// Touches what the new head changes: what is deep enough now, and what a reorg removed. Settled transactions that it
/// removed are read back from the store, and those that are finalized now are let go.
void follow_head(LaneContext& lane, LaneMemory& memory, const HeadNews& news);

/// Rolls its receipt back where its block is not on the chain any more.
void roll_back_if_orphaned(LaneContext& lane, const LaneMemory& memory, Tracked& tracked, Turn& turn);

void take_deep_block(LaneContext& lane, LaneMemory& memory, const DeepBlockRead& read);
void take_read_back(LaneContext& lane, LaneMemory& memory, const BlockReadBack& read);

/// Whether the receipt is final by the operator's rule.
[[nodiscard]] bool is_final_now(const LaneContext& lane, const LaneMemory& memory, const Tracked& tracked);
/// The blocks above its own on which that rests.
[[nodiscard]] std::vector<BlockRef> confirmations_of(const LaneContext& lane, const LaneMemory& memory,
                                                     const Tracked& tracked);

}  // namespace fencepost::lane
