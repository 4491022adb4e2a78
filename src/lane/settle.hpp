// The verdict, once the receipt is final: what was mined decides. Afterwards the lane keeps watching until the block is
// finalized: a settled transaction whose block is removed must be sent again, or everything above it waits for ever.
#pragma once

#include "lane/lane_context.hpp"
#include "lane/lane_memory.hpp"
#include "lane/turn.hpp"

namespace fencepost::lane {

/// Settles what is final, and moves on the lowest nonce to be watched.
void settle_final(LaneContext& lane, LaneMemory& memory, Turn& turn);

/// Asks why mined transactions failed, so that the verdict can say so.
void start_explaining(LaneContext& lane, LaneMemory& memory);
void take_explanation(const LaneContext& lane, LaneMemory& memory, const FailureExplained& explained);

}  // namespace fencepost::lane
