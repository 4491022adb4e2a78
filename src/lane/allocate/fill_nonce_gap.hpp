// Fills nonce gaps of shared keys. A released nonce can become a gap below our own nonces: the lane skipped it because
// an external transaction was pending at it, and that transaction was evicted. Nothing above can be mined until the
// nonce is used. The next intent uses it; if none arrives, the lane submits a no-op intent of its own like any other:
// it is recorded before it is sent, survives a crash, and needs no special rules.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"

namespace fencepost::lane {

/// Checks periodically for a gap, when own transactions are in flight and the queue is empty, or blocked by a full
/// window or by transactions in flight.
void start_gap_check(LaneContext& lane, LaneMemory& memory);

/// A gap that is seen in two consecutive checks is filled.
void handle_gap(LaneContext& lane, LaneMemory& memory, const GapRead& read);

}  // namespace fencepost::lane
