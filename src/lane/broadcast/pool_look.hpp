// Looks whether pools hold what they took: what is seen lets the window grow, what is proven absent makes it smaller
// and is sent again.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Looks when something is to be learnt from it.
void start_looking_into_pools(LaneContext& lane, LaneMemory& memory);
void take_pool_views(LaneContext& lane, LaneMemory& memory, const PoolsRead& read, Turn& turn);

}  // namespace fencepost::lane
