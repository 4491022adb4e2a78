// The current limit of pending transactions: the lane's window or its share of a full pool, whichever is smaller.
#pragma once

#include <vector>

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// The current size, and what limits it.
[[nodiscard]] WindowState window_now(const LaneMemory& memory);

/// Before a turn: sets how many nonces may be allocated.
void resize_window(LaneMemory& memory);
/// Recomputes what may be sent from what is in flight, and wakes transactions that waited for room.
void update_window(LaneContext& lane, LaneMemory& memory);
/// These are sent now.
void note_sending(LaneContext& lane, LaneMemory& memory, const std::vector<Nonce>& nonces);
/// Reacts to a send that no endpoint accepted: pool limits and prices.
void react_to_refusal(LaneContext& lane, LaneMemory& memory, Tracked& tracked, const SendReport& report);
/// The lowest nonce is not mined although it had time for it: a larger window would not help.
[[nodiscard]] bool is_inclusion_overdue(const LaneContext& lane, const LaneMemory& memory);
/// At most one reduction for everything sent before the last one.
void reduce_window(LaneContext& lane, LaneMemory& memory, WindowLimit cause, Instant sent_at);
/// Stores the window, in a turn that writes anyway, when it has changed by a factor of 2.
void store_window(const LaneMemory& memory, Turn& turn);

}  // namespace fencepost::lane
