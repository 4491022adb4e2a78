// Sends recorded attempts; no other code sends bytes (law 2). Only an acceptance is evidence: after any other answer
// the same bytes are sent again later.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Sends the current attempts at these nonces in one batch. If another activity is running at a nonce, its bytes are
/// sent after it; a nonce above a gap or beyond the window is withheld.
void start_send(LaneContext& lane, LaneMemory& memory, const std::vector<Nonce>& nonces,
                Purpose purpose = Purpose::asked);
/// Whether a postponed send can start now.
[[nodiscard]] bool is_ready_to_send(const LaneMemory& memory, const Tracked& tracked);

/// Records the endpoints' answers.
void handle_sent(LaneContext& lane, LaneMemory& memory, const Sent& sent, Turn& turn);

/// The lease was briefly invalid, and the lane continues: they are sent as soon as it may act.
void handle_not_sent(const LaneContext& lane, LaneMemory& memory, const NotSent& kept);

/// Claims the next send in the database before it is sent. A settled transaction that a reorg removed keeps its
/// verdict; only its bytes are sent again. False: not in this turn.
bool claim_resend(LaneContext& lane, Tracked& tracked, std::string why, Turn& turn);

/// The same for an explicit request; the text names the requester.
[[nodiscard]] bool claim_requested_resend(LaneContext& lane, Tracked& tracked, const std::string& why, Turn& turn);

/// Records in the turn that bytes at its nonce are sent once more: the same, or those of a bump.
[[nodiscard]] Moved claim(Edit& edit);

}  // namespace fencepost::lane
