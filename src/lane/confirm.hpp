// Follows the chain with every receipt: confirmations grow, or a reorg takes the block away and the same bytes are sent
// again. Only positive evidence takes anything back: another block at that height (law 5).
#pragma once

#include "lane/lane_context.hpp"
#include "lane/lane_memory.hpp"
#include "lane/turn.hpp"

namespace fencepost::lane {

/// Brings every confirmation list up to the head, and rolls back what was orphaned.
void follow_chain(LaneContext& lane, LaneMemory& memory, Turn& turn);

/// Asks the chain about receipts in blocks below the watch's window, as a lane finds them that opens late.
void start_reading_deep_blocks(LaneContext& lane, LaneMemory& memory);
void take_deep_block(LaneContext& lane, LaneMemory& memory, const DeepBlockRead& read, Turn& turn);

/// Whether the receipt is final by the operator's rule.
[[nodiscard]] bool is_final_now(const LaneContext& lane, const Tracked& tracked);

}  // namespace fencepost::lane
