// By a person's choice, and never by itself: an intent whose nonce somebody else used is handed in again, once that is
// final (failure 29).
#pragma once

#include "lane/lane_context.hpp"
#include "lane/lane_memory.hpp"
#include "lane/turn.hpp"

namespace fencepost::lane {

/// True when the command is done or refused; false: what it was read with is out of date, so it is looked at again.
[[nodiscard]] bool requeue(LaneContext& lane, LaneMemory& memory, const Command& command, Turn& turn);

}  // namespace fencepost::lane
