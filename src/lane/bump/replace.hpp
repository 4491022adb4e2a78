// Another attempt at the same nonce: a bump, which offers more for the same intent, or a filler, which consumes the
// nonce instead of it (law 4). Like a first attempt it is signed, then put on record, then sent; all of them stay
// watched, and whichever is mined counts (failure 6).
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Sends out for signing what is wanted at these nonces, from the lowest up.
void start_replacing(LaneContext& lane, LaneMemory& memory, const std::vector<Nonce>& nonces);
/// Whether what is wanted can be signed, now or when it is due.
[[nodiscard]] bool may_replace(const LaneMemory& memory, const Tracked& tracked);

/// Puts what was signed on record, with the commands that it does.
void take_replaced(LaneContext& lane, LaneMemory& memory, const Replaced& replaced, Turn& turn);

/// Drops what is wanted and has become pointless: one of the attempts was mined, or the nonce is somebody else's.
void drop_pointless_wish(LaneContext& lane, Tracked& tracked, Turn& turn);

}  // namespace fencepost::lane
