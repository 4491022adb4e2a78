// A nonce that was given back can become a hole below others of ours: somebody else's transaction waited at it, we went
// past it, and that transaction was evicted. None of ours can be mined before somebody uses the nonce. The next intent
// does. Where none comes, the lane hands in an intent of its own that does nothing, like any other: so it is on record
// before a byte of it leaves, survives a crash, and needs no rules of its own.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"

namespace fencepost::lane {

/// Looks whether there is a hole, every now and then, where something of ours is in flight and nothing is queued, or
/// what is queued finds the window full or waits for what is in flight.
void start_looking_for_hole(LaneContext& lane, LaneMemory& memory);

/// The second time in a row that it is seen, it is filled.
void take_hole(LaneContext& lane, LaneMemory& memory, const HoleRead& read);

}  // namespace fencepost::lane
