// Diagnoses overdue transactions if enabled, because it costs calls. The result is recorded in the transaction's
// history only; no decision is based on it.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Checks the lowest nonces that have been in flight for longer than a resubmit interval.
void start_diagnosis(LaneContext& lane, LaneMemory& memory);
void handle_slots(LaneContext& lane, LaneMemory& memory, const SlotsRead& read, Turn& turn);

}  // namespace fencepost::lane
