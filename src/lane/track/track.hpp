// Receipts: found by block through the watch, or polled in batches when stale. A receipt is provisional (law 5), and a
// missing one is never a verdict.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Queries the receipts of all attempts at these nonces, in one call.
void start_receipt_query(LaneContext& lane, LaneMemory& memory, const std::vector<Nonce>& nonces);
/// Whether receipts must be queried, now or when due.
[[nodiscard]] bool needs_receipts(const Tracked& tracked);

void handle_receipt(LaneContext& lane, LaneMemory& memory, const ReceiptSeen& seen, Turn& turn);
void handle_missed(LaneContext& lane, LaneMemory& memory, const ReceiptMissed& missed);
void handle_missing(LaneContext& lane, LaneMemory& memory, const ReceiptsMissing& missing, Turn& turn);
void handle_unknown(LaneContext& lane, LaneMemory& memory, const ReceiptsUnknown& unknown);

}  // namespace fencepost::lane
