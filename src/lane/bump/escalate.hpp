// What is done about a nonce that is not consumed as time goes by: higher fees, a name for it (TIMEOUT, STUCK), and the
// question to the policy what to do next. By itself a lane never gives a transaction up, unless it was told to.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// What is to be done about it now.
[[nodiscard]] TxDecision decide_now(const LaneContext& lane, const LaneMemory& memory, const Tracked& tracked);
/// Puts into the turn what was decided; what needs bytes is wished for, and signed after the turn.
void carry_out(LaneContext& lane, LaneMemory& memory, const TxDecision& decision, Tracked& tracked, Turn& turn);

/// Gives up what waits for a nonce for too long, where the operator wants that.
void time_out_queue(LaneContext& lane, LaneMemory& memory, Turn& turn);

/// Asks the policy about one that is stuck.
void start_deciding(LaneContext& lane, Tracked& tracked);
/// The decision is on record before anything is done about it.
void take_decision(LaneContext& lane, LaneMemory& memory, const StuckDecided& decided, Turn& turn);

}  // namespace fencepost::lane
