// Replacement attempts at the same nonce: a bump raises the fees of the same intent, a gap filler consumes the nonce
// instead of it (law 4). Like a first attempt it is signed, recorded, and then sent; all attempts stay watched, and any
// may be mined (failure 6).
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Starts signing the requested replacements at these nonces, in ascending order.
void start_replace(LaneContext& lane, LaneMemory& memory, const std::vector<Nonce>& nonces);
/// Whether the requested replacement can be signed, now or when due.
[[nodiscard]] bool may_replace(const LaneMemory& memory, const Tracked& tracked);

/// Records what was signed, and completes its commands.
void handle_replaced(LaneContext& lane, LaneMemory& memory, const Replaced& replaced, Turn& turn);

/// Drops an obsolete request: one of the attempts was mined, or an external transaction consumed the nonce.
void drop_obsolete_request(LaneContext& lane, Tracked& tracked, Turn& turn);

}  // namespace fencepost::lane
