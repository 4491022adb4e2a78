// Lifts a PROTECT by command. The chain is read first; then the cursor moves to the chain's count and the submitter
// becomes active, in one commit under the fence. If it is refused, the command is completed without effect, and the log
// gives the reason.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

void start_unprotect(LaneContext& lane, LaneMemory& memory, const Command& command);
void handle_unprotect(LaneContext& lane, LaneMemory& memory, const UnprotectRead& read, Turn& turn);

}  // namespace fencepost::lane
