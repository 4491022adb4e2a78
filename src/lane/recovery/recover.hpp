// Recovery of transactions from the database: those in flight when a lane opens, and settled ones that a reorg has
// removed.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"

namespace fencepost::lane {

/// Node times at which the database was read; the recovered facts are relative to them.
struct ReadAt {
    Instant monotonic;
    UnixTime node_time;
};
[[nodiscard]] TxFacts facts_at_opening(const LaneContext& lane, const Transaction& tx, const Sending* sending,
                                       const ReadAt& read_at);

/// Adds the loaded transactions. Those that may never have been sent are sent: the same bytes (failure 2).
void recover_transactions(LaneContext& lane, LaneMemory& memory, const LaneState& state, const ReadAt& read_at);

}  // namespace fencepost::lane
