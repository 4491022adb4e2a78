// What is done about a nonce that is not consumed as time goes by: higher fees, a name for it (TIMEOUT, STUCK), and the
// question to the policy what to do next. By itself a lane never gives a transaction up, unless it was told to.
#pragma once

#include "lane/lane_context.hpp"
#include "lane/lane_memory.hpp"
#include "lane/turn.hpp"

namespace fencepost::lane {

void escalate(LaneContext& lane, LaneMemory& memory, Turn& turn);

/// Asks the policy about what is stuck.
void start_deciding(LaneContext& lane, LaneMemory& memory);
/// The decision is on record before anything is done about it.
void take_decision(LaneContext& lane, LaneMemory& memory, const StuckDecided& decided, Turn& turn);

/// Sets the clocks of one that a new owner found in flight.
void resume_timers(const LaneContext& lane, Tracked& tracked, const LaneState& state);
/// The next moment at which something may be due; none of those that have passed.
[[nodiscard]] Instant next_escalation(const LaneContext& lane, const Tracked& tracked);

}  // namespace fencepost::lane
