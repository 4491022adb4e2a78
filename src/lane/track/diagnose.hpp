// Tells people why transactions are overdue, where the operator wants that: it costs calls. What is found goes into the
// history of the transaction, and nowhere else: nothing is decided by it.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Looks at what has been in flight for longer than a resubmit interval, at the lowest nonces.
void start_diagnosing(LaneContext& lane, LaneMemory& memory);
void take_slots(LaneContext& lane, LaneMemory& memory, const SlotsRead& read, Turn& turn);

}  // namespace fencepost::lane
