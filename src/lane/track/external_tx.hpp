// Handles external transactions that consume our nonces. One is reported only with its hash; there is no verdict until
// it is final, and it is rolled back when a reorg removes it. A settled transaction that a reorg removed may lose its
// nonce like this, too: it keeps verdict and flag.
#pragma once

#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// An endpoint reports the nonce as consumed, and none of our attempts has a receipt: looks up the transaction.
void start_external_lookup(LaneContext& lane, const Tracked& tracked);
/// Whether an external transaction consumed its nonce: recorded, or, for a settled transaction, known to this lane.
[[nodiscard]] bool is_taken(const Tracked& tracked);
/// Whether a lookup is needed: the recorded external transaction has no known block, or it should be final and its
/// block is not in the view.
[[nodiscard]] bool needs_external_lookup(const LaneContext& lane, const Tracked& tracked);
void restart_external_lookup(LaneContext& lane, Tracked& tracked);
void handle_taken(LaneContext& lane, LaneMemory& memory, const NonceTaken& taken, Turn& turn);
/// No endpoint reports the nonce as consumed.
void handle_free(LaneContext& lane, LaneMemory& memory, const NonceFree& free, Turn& turn);
void handle_external_block(LaneContext& lane, LaneMemory& memory, const ExternalBlockRead& read, Turn& turn);
void update_external_tx(LaneContext& lane, Tracked& tracked, Turn& turn);
/// The external transaction at its nonce is final, or removed: something must be recorded.
[[nodiscard]] bool is_decided_externally(const LaneContext& lane, const Tracked& tracked);

}  // namespace fencepost::lane
