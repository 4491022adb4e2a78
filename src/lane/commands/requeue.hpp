// Requeues an intent by command, never automatically: its nonce was consumed by an external transaction that is final
// (failure 29).
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// True when the command is done or refused. False: it was read with outdated data and is checked again.
[[nodiscard]] bool requeue(LaneContext& lane, LaneMemory& memory, const Command& command, Turn& turn);

}  // namespace fencepost::lane
