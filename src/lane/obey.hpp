// Commands of people and callers, done under the lane's fence, in the order in which they were posted: what one node
// was asked and what the owner does cannot cross (failure 25).
#pragma once

#include "lane/lane_context.hpp"
#include "lane/lane_memory.hpp"
#include "lane/turn.hpp"

namespace fencepost::lane {

void start_reading_commands(LaneContext& lane);
void take_commands(LaneContext& lane, LaneMemory& memory, const CommandsRead& read, Turn& turn);

}  // namespace fencepost::lane
