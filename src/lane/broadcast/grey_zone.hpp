// The grey zone: a signing connector may have sent a transaction, and its hash is unknown. The transaction is never
// sent with another nonce, and not sent again without a lookup by nonce. The lookup ends when it is found, when another
// transaction is found in its place, or when the nonce has been free for so long that a gap filler consumes it.
#pragma once

#include <string>

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

void enter_grey_zone(LaneContext& lane, Tracked& tracked, const std::string& why, Turn& turn);

/// Sets the clocks of a transaction that just entered the grey zone.
void set_lookup_clocks(const LaneContext& lane, Tracked& tracked, Edit& edit);

/// Restores a claim after a takeover.
void restore_claims(const LaneContext& lane, Tracked& tracked);

/// Records in the turn that a claim of the last owner is in the grey zone.
void note_if_uncertain(LaneContext& lane, Tracked& tracked, Turn& turn);

/// Whether it must be looked up, now or when due.
[[nodiscard]] bool needs_lookup(const LaneContext& lane, const Tracked& tracked);
void start_lookup(LaneContext& lane, Tracked& tracked);
void handle_lookup(LaneContext& lane, LaneMemory& memory, const GreyZoneLookup& lookup, Turn& turn);

}  // namespace fencepost::lane
