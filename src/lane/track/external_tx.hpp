// Somebody else used a nonce of ours. It is said by name or not at all; it is no verdict until that other transaction
// is final, and it is taken back when a reorg removes it. A settled transaction that a reorg threw out may lose its
// nonce like this, too: it keeps verdict and flag.
#pragma once

#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// An endpoint called the nonce consumed, and none of our attempts has a receipt: asks by whom.
void start_naming(LaneContext& lane, const Tracked& tracked);
/// Its nonce is a stranger's: on record, or, for a settled one, whose verdict stays, as far as this lane knows.
[[nodiscard]] bool is_taken(const Tracked& tracked);
/// It is on record that its nonce was taken, and where is not known any more; or the stranger should be final, and its
/// block is not in the view.
[[nodiscard]] bool needs_naming(const LaneContext& lane, const Tracked& tracked);
void start_naming_again(LaneContext& lane, Tracked& tracked);
void take_taken(LaneContext& lane, LaneMemory& memory, const NonceTaken& taken, Turn& turn);
/// No endpoint has the nonce consumed.
void take_free(LaneContext& lane, LaneMemory& memory, const NonceFree& free, Turn& turn);
void take_foreign_block(LaneContext& lane, LaneMemory& memory, const ForeignBlockRead& read, Turn& turn);
void follow_foreign(LaneContext& lane, Tracked& tracked, Turn& turn);
/// The external transaction at its nonce is final, or gone: something is to be recorded.
[[nodiscard]] bool is_decided_externally(const LaneContext& lane, const Tracked& tracked);

}  // namespace fencepost::lane
