// A person lifts a PROTECT. The chain is looked at first; then the cursor goes where the chain's count is, and the
// submitter is active again, in one commit under the lane's fence. Refused, the command is done all the same, nothing
// changes, and the log says why.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

void start_unprotecting(LaneContext& lane, LaneMemory& memory, const Command& command);
void take_unprotect(LaneContext& lane, LaneMemory& memory, const UnprotectRead& read, Turn& turn);

}  // namespace fencepost::lane
