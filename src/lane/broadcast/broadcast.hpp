// Bytes leave the process here, and nowhere else; all of them are on record (law 2). Whatever comes back other than
// "taken" proves nothing: the same bytes are sent again later.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Sends the attempts that are to be sent at these nonces, in one batch. Where something of a nonce is under way its
/// bytes are sent once that is over; what has a gap below it, or no room in the window, is withheld.
void start_sending(LaneContext& lane, LaneMemory& memory, const std::vector<Nonce>& nonces,
                   Purpose purpose = Purpose::asked);
/// Whether what was put off can be sent now.
[[nodiscard]] bool is_ready_to_send(const LaneMemory& memory, const Tracked& tracked);

/// Records what the endpoints said.
void take_sent(LaneContext& lane, LaneMemory& memory, const Sent& sent, Turn& turn);

/// The lease was gone for a moment, and the lane lives: they are sent as soon as it may act.
void take_not_sent(const LaneContext& lane, LaneMemory& memory, const NotSent& kept);

/// Claims the next sending, in the database first. A settled one that a reorg removed keeps its verdict; only its bytes
/// go out again. False: not in this turn.
bool claim_resend(LaneContext& lane, Tracked& tracked, std::string why, Turn& turn);

/// The same, because somebody asked; the text says who.
[[nodiscard]] bool claim_asked_resend(LaneContext& lane, Tracked& tracked, const std::string& why, Turn& turn);

/// Puts into the turn that bytes at its nonce are to be sent once more: the same, or those of a bump.
[[nodiscard]] Moved claim(Edit& edit);

}  // namespace fencepost::lane
