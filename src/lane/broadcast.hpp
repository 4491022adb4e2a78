// Bytes leave the process here, and nowhere else; all of them are on record (law 2). Whatever comes back other than
// "taken" proves nothing: the same bytes are sent again later.
#pragma once

#include "lane/lane_context.hpp"
#include "lane/lane_memory.hpp"
#include "lane/turn.hpp"

namespace fencepost::lane {

/// Sends the attempts that are to be sent at these nonces, in one batch. Where something of a nonce is under way it is
/// put off until that is over.
void start_sending(LaneContext& lane, LaneMemory& memory, const std::vector<Nonce>& nonces);

void start_put_off(LaneContext& lane, LaneMemory& memory);

/// Records what the endpoints said.
void take_sent(LaneContext& lane, LaneMemory& memory, const Sent& sent, Turn& turn);

/// The lease was gone for a moment, and the lane lives: they are sent as soon as it may act.
void take_not_sent(const LaneContext& lane, LaneMemory& memory, const NotSent& kept);

/// Claims the next sending of what has not been heard of for long, and of what a reorg threw out: in the database
/// first.
void claim_resends(LaneContext& lane, LaneMemory& memory, Turn& turn);

/// The same, now, because somebody asked; the text says who. False: not in this turn.
[[nodiscard]] bool claim_resend(LaneContext& lane, Tracked& tracked, const std::string& why, Turn& turn);

/// Something of its nonce is under way already.
[[nodiscard]] bool is_busy(const Tracked& tracked);

/// Puts into the turn that bytes at its nonce are to be sent once more: the same, or those of a bump.
[[nodiscard]] Moved claim(Edit& edit);

}  // namespace fencepost::lane
