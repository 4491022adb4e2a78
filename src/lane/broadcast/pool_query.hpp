// Queries pools for sent transactions: what is seen lets the window grow; what is proven absent shrinks it and is sent
// again.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Starts a query when it can give new information.
void start_pool_query(LaneContext& lane, LaneMemory& memory);
void handle_pool_views(LaneContext& lane, LaneMemory& memory, const PoolsRead& read, Turn& turn);

}  // namespace fencepost::lane
