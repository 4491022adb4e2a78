// Escalation of a nonce that is not consumed: bumps, the states TIMEOUT and STUCK, and the call to the stuck policy. A
// lane never abandons a transaction unless it is configured to.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// The decision for the current time.
[[nodiscard]] TxDecision decide_now(const LaneContext& lane, const LaneMemory& memory, const Tracked& tracked);
/// Records a decision in the turn; requested attempts are signed after the turn.
void apply_decision(LaneContext& lane, LaneMemory& memory, const TxDecision& decision, Tracked& tracked, Turn& turn);

/// Times out queued transactions without a nonce, if configured.
void time_out_queue(LaneContext& lane, LaneMemory& memory, Turn& turn);

/// Asks the stuck policy about a STUCK transaction.
void start_policy_call(LaneContext& lane, Tracked& tracked);
/// Records the decision before it is executed.
void handle_policy_decision(LaneContext& lane, LaneMemory& memory, const StuckDecided& decided, Turn& turn);

}  // namespace fencepost::lane
