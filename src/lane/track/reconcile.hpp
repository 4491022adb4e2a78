// The reconciler: periodically compares the chain's counts with the cursor and the attempts. It repairs what is safe:
// for a consumed nonce without a recorded receipt, it queries receipts at once. External use of the key, or a different
// chain, stops the submitter with a reason (failures 5 and 29). It never changes what is in flight.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Retry interval for a mismatch that may resolve itself.
inline constexpr Duration mismatch_retry = std::chrono::seconds(2);

/// Starts a round on request. False: a round is in progress, and began before the request.
[[nodiscard]] bool reconcile_now(const LaneContext& lane, LaneMemory& memory);

void start_reconciling(LaneContext& lane, LaneMemory& memory);
void handle_counts(LaneContext& lane, LaneMemory& memory, const CountsRead& read, Turn& turn);
/// For shared keys: whether the recorded count was aligned with the chain.
void handle_aligned(const LaneContext& lane, LaneMemory& memory, const NoncesAligned& aligned);
void handle_external_use_read(LaneContext& lane, LaneMemory& memory, const ExternalUseRead& read, Turn& turn);

}  // namespace fencepost::lane
