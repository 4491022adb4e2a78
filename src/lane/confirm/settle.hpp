// The verdict, once the receipt is final: what was mined decides. Afterwards the lane keeps watching until the block is
// finalized: a settled transaction whose block is removed must be sent again, or everything above it waits for ever.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Gives it its verdict, if its receipt is final.
void settle_if_final(LaneContext& lane, const LaneMemory& memory, Tracked& tracked, Turn& turn);
/// Moves on the lowest nonce to be watched.
void move_watch(const LaneContext& lane, LaneMemory& memory, Turn& turn);

/// Before the verdict it is asked why it failed, so that the verdict can say so.
[[nodiscard]] bool needs_reason(const Tracked& tracked);
void start_explaining(LaneContext& lane, Tracked& tracked);
void take_explanation(const LaneContext& lane, LaneMemory& memory, const FailureExplained& explained);

}  // namespace fencepost::lane
