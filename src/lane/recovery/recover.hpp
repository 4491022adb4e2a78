// What a lane makes of transactions that it finds in the database: its own lane's when it opens, and settled ones that
// a reorg has removed.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"

namespace fencepost::lane {

/// The facts that a lane goes on from, with what is on record of its sending. That was read when the node's clocks said
/// this.
struct ReadAt {
    Instant monotonic;
    UnixTime node_time;
};
[[nodiscard]] TxFacts facts_at_opening(const LaneContext& lane, const Transaction& tx, const Sending* sending,
                                       const ReadAt& read_at);

/// Takes up what was loaded. What may never have been sent is sent: the same bytes (failure 2).
void recover_transactions(LaneContext& lane, LaneMemory& memory, const LaneState& state, const ReadAt& read_at);

}  // namespace fencepost::lane
