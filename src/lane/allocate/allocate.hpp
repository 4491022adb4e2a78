// Allocates nonces: signs first, then commits nonce, bytes and cursor together, many transactions per commit. A
// signature that does not get into the commit is wiped: it is not on record, so it must never be sent.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Starts signing the ready transactions at the head of the queue, in order, as far as window and funds allow.
void start_sign(LaneContext& lane, LaneMemory& memory);

/// Adds signed transactions to the turn.
void handle_signed(LaneContext& lane, LaneMemory& memory, SignedBatch batch, Turn& turn);

}  // namespace fencepost::lane
