// Somebody else used a nonce of ours. It is said by name or not at all; it is no verdict until that other transaction
// is final, and it is taken back when a reorg removes it. A settled transaction that a reorg threw out may lose its
// nonce like this, too: it keeps verdict and flag.
#pragma once

#include "lane/turn.hpp"

namespace fencepost::lane {

/// An endpoint called the nonce consumed, and none of our attempts has a receipt: asks by whom.
void start_naming(LaneContext& lane, const Tracked& tracked);
/// For those of which it is on record that the nonce was taken, and where is not known any more; and for those whose
/// stranger should be final and whose block is not in the view: it is looked for.
void start_naming_again(LaneContext& lane, LaneMemory& memory);
void take_taken(LaneContext& lane, LaneMemory& memory, const NonceTaken& taken, Turn& turn);
/// No endpoint has the nonce consumed.
void take_free(LaneContext& lane, LaneMemory& memory, const NonceFree& free, Turn& turn);
void take_foreign_block(LaneContext& lane, LaneMemory& memory, const ForeignBlockRead& read, Turn& turn);
void follow_foreign(LaneContext& lane, LaneMemory& memory, Turn& turn);

}  // namespace fencepost::lane
