// Resends transactions that pools accepted and lost. A repair sends recorded bytes under a valid lease, so it is not
// claimed first, and counts neither as an attempt nor as a resubmit.
#pragma once

#include <vector>

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// It was sent as signed bytes and should be in pools.
[[nodiscard]] bool should_be_in_pools(const Tracked& tracked);

/// Plans a repair of what is proven absent everywhere: the lowest nonce at once, the rest in growing batches when those
/// are seen; at most once per block, and less often while it does not help.
void plan_repair(const LaneContext& lane, LaneMemory& memory, std::vector<Nonce> absent, Turn& turn);
/// All endpoints lost everything at once, as after a restart: sends everything again.
void plan_refill(const LaneContext& lane, LaneMemory& memory, std::vector<Nonce> waiting, Turn& turn);
/// One endpoint lacks what this query asked for.
void refill_endpoint(LaneContext& lane, LaneMemory& memory, const PoolsRead& read, const PoolView& view);

void start_repair(LaneContext& lane, LaneMemory& memory);
/// Handles the endpoints' answers to a repair.
void handle_repaired(LaneContext& lane, LaneMemory& memory, const Sent& sent, Turn& turn);
/// Sends the next batch when the last one is seen.
void continue_repair(LaneMemory& memory);

}  // namespace fencepost::lane
