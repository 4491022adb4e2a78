// Sends again what pools lost after they took it. Such a repair sends bytes that are on record under a lease that
// holds, so it is not claimed first, and counts neither as a try nor as a resubmit.
#pragma once

#include <vector>

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// It was sent as signed bytes, and is waited for in pools.
[[nodiscard]] bool waits_in_a_pool(const Tracked& tracked);

/// Of what is proven absent everywhere, from the lowest up: the lowest at once, the rest in pieces once those are seen;
/// at most once per block, and less often while it does not help.
void plan_repair(const LaneContext& lane, LaneMemory& memory, std::vector<Nonce> absent, Turn& turn);
/// All endpoints lost all of it at once: they were started anew, and all of it goes back.
void plan_refill(const LaneContext& lane, LaneMemory& memory, std::vector<Nonce> waiting, Turn& turn);
/// One endpoint alone lacks what this look asked about.
void refill_endpoint(LaneContext& lane, LaneMemory& memory, const PoolsRead& read, const PoolView& view);

void start_repairing(LaneContext& lane, LaneMemory& memory);
/// What the endpoints said to a repair.
void take_repaired(LaneContext& lane, LaneMemory& memory, const Sent& sent, Turn& turn);
/// Lets the next piece go when the last is seen.
void follow_repair(LaneMemory& memory);

}  // namespace fencepost::lane
