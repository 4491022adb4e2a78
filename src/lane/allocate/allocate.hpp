// A transaction gets its one nonce here: signed first, then nonce, bytes and cursor are committed together, many in one
// commit. A signature that does not get into the commit is wiped: it was never on record, so it must never be sent.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Sends out for signing what is ready at the head of the queue, in order, as far as the window and the funds reach.
void start_signing(LaneContext& lane, LaneMemory& memory);

/// Puts what was signed into the turn.
void take_signed(LaneContext& lane, LaneMemory& memory, SignedBatch batch, Turn& turn);

}  // namespace fencepost::lane
