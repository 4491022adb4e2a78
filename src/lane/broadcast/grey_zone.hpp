// A connector that signs was asked to send something, or may have been, and nobody knows its hash. It is never sent
// again under another nonce, and not again under its own without looking: by the nonce, until it is found, another is
// found in its place, or the nonce has been free for so long that a filler consumes it.
#pragma once

#include <string>

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

void enter_grey_zone(LaneContext& lane, Tracked& tracked, const std::string& why, Turn& turn);

/// The clocks of one that has just got there.
void begin_looking(const LaneContext& lane, Tracked& tracked, Edit& edit);

/// What a new owner makes of a transaction that a connector was to be asked for.
void resume_claims(const LaneContext& lane, Tracked& tracked);

/// Puts into the turn that what the last owner may have asked for is in the grey zone.
void note_if_uncertain(LaneContext& lane, Tracked& tracked, Turn& turn);

/// Whether it is to be looked for, now or when it is due.
[[nodiscard]] bool needs_look_up(const LaneContext& lane, const Tracked& tracked);
void start_looking(LaneContext& lane, Tracked& tracked);
void take_look(LaneContext& lane, LaneMemory& memory, const GreyZoneLook& look, Turn& turn);

}  // namespace fencepost::lane
