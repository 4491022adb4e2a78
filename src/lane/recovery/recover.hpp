// What a lane makes of transactions that it finds in the database: its own lane's when it opens, and settled ones that
// a reorg has removed.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"

namespace fencepost::lane {

/// Takes up what was loaded. What may never have been sent is sent: the same bytes (failure 2).
void recover_transactions(LaneContext& lane, LaneMemory& memory, const LaneState& state);

}  // namespace fencepost::lane
