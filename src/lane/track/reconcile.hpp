// Every few minutes a lane holds the chain's counts against its cursor and its attempts. What is safe it puts right by
// itself: a nonce that is consumed and has no receipt on record is asked about at once. What is not, somebody else's
// use of the key or a chain that is not ours, it only stops and names (failures 5 and 29). It never touches what is in
// flight.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// What may be put right any moment is looked at soon again.
inline constexpr Duration doubt_pause = std::chrono::seconds(2);

/// Because somebody asked. False: a round is under way, and began before that.
[[nodiscard]] bool reconcile_now(const LaneContext& lane, LaneMemory& memory);

void start_reconciling(LaneContext& lane, LaneMemory& memory);
void take_counts(LaneContext& lane, LaneMemory& memory, const CountsRead& read, Turn& turn);
/// Of a shared key: the count on record has followed the chain's, or not.
void take_aligned(const LaneContext& lane, LaneMemory& memory, const NoncesAligned& aligned);
void take_outside_use(LaneContext& lane, LaneMemory& memory, const OutsideUseRead& read, Turn& turn);

}  // namespace fencepost::lane
