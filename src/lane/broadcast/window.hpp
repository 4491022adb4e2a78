// How many of the lane's transactions may wait in pools now: the window that it has found, or its share of a full
// pool, whichever is smaller.
#pragma once

#include <vector>

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// As it holds now, and what limits it.
[[nodiscard]] WindowState window_now(const LaneMemory& memory);

/// Before a turn: from here on as many nonces may be given as fit.
void resize_window(LaneMemory& memory);
/// What may be sent follows from what is in flight now; wakes those that waited for room.
void follow_window(LaneContext& lane, LaneMemory& memory);
/// These go out now.
void note_sending(LaneContext& lane, LaneMemory& memory, const std::vector<Nonce>& nonces);
/// What a send that no endpoint took says about pools and prices.
void react_to_refusal(LaneContext& lane, LaneMemory& memory, Tracked& tracked, const SendReport& report);
/// The lowest nonce is mined no more, though it had time for it: more of its kind would not help.
[[nodiscard]] bool waits_too_long(const LaneContext& lane, const LaneMemory& memory);
/// One reduction at most for what was sent before the last one.
void reduce_window(LaneContext& lane, LaneMemory& memory, WindowLimit cause, Instant sent_at);
/// Writes the window with a turn that writes anyway, when it has changed by a factor of 2.
void store_window(const LaneMemory& memory, Turn& turn);

}  // namespace fencepost::lane
