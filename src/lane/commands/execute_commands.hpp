// Executes commands of operators and callers under the lane's fence, in the order in which they were posted: a command
// on one node and an action of the owner cannot cross (failure 25).
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

void start_command_read(LaneContext& lane);
void handle_commands(LaneContext& lane, LaneMemory& memory, const CommandsRead& read, Turn& turn);

}  // namespace fencepost::lane
