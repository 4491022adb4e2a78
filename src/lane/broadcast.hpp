// Bytes leave the process here, and nowhere else; all of them are on record (law 2). Whatever comes back other than
// "taken" proves nothing: the same bytes are sent again later.
#pragma once

#include "lane/lane_context.hpp"
#include "lane/lane_memory.hpp"
#include "lane/turn.hpp"

namespace fencepost::lane {

/// Sends the latest attempts at these nonces, in one batch.
void start_sending(LaneContext& lane, LaneMemory& memory, const std::vector<Nonce>& nonces);

/// Records what the endpoints said.
void take_sent(LaneContext& lane, LaneMemory& memory, const Sent& sent, Turn& turn);

/// The lease was gone for a moment, and the lane lives: they are sent as soon as it may act.
void take_not_sent(const LaneContext& lane, LaneMemory& memory, const NotSent& kept);

/// Claims the next sending of what has not been heard of for long, and of what a reorg threw out: in the database
/// first.
void claim_resends(LaneContext& lane, LaneMemory& memory, Turn& turn);

}  // namespace fencepost::lane
