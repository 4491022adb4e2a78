// By a person's choice, and never by itself: an intent whose nonce somebody else used is handed in again, once that is
// final (failure 29).
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// True when the command is done or refused; false: what it was read with is out of date, so it is looked at again.
[[nodiscard]] bool requeue(LaneContext& lane, LaneMemory& memory, const Command& command, Turn& turn);

}  // namespace fencepost::lane
