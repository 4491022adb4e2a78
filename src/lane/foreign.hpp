// Somebody else used a nonce of ours. It is said by name or not at all; it is no verdict until that other transaction
// is final, and it is taken back when a reorg removes it.
#pragma once

#include "lane/turn.hpp"

namespace fencepost::lane {

/// An endpoint called the nonce consumed, and none of our attempts has a receipt: asks by whom.
void start_naming(LaneContext& lane, const Tracked& tracked);
/// For those of which it is on record that the nonce was taken, and where is not known any more.
void start_naming_again(LaneContext& lane, LaneMemory& memory);
void take_taken(LaneContext& lane, LaneMemory& memory, const NonceTaken& taken, Turn& turn);
void follow_foreign(LaneContext& lane, LaneMemory& memory, Turn& turn);

}  // namespace fencepost::lane
