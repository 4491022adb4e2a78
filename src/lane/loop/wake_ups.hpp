// The wake-up rules. A transaction is decided when a message names it, when a deadline passes, or when an event happens
// that it waits for. The complete list:
//
// - a message names its nonce or hash: that transaction (the take_… functions);
// - its own deadline passes (resend, bump, time-out, query): that transaction (LaneMemory::agenda);
// - the turn that changed it is committed: that transaction (Turn::apply_to);
// - a new head makes blocks deep enough: the unsettled ones in them (handle_head);
// - a new head removes blocks: those in them; settled ones are read back from the store (handle_head);
// - a new head decides external transactions: those whose nonce they consumed (handle_head);
// - an answer that irreversible decisions need arrives: those that wait for it (recovery/verification.hpp);
// - a missing nonce is held or mined: those that waited above it (LaneMemory::close_gap).
//
// Transactions without a nonce (waiting for window, funds, resume) are checked in every turn, from the head of the
// queue as far as nonces are available.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"

namespace fencepost::lane {

/// Updates the lane's indexes after a change.
void update_indexes(const LaneContext& lane, LaneMemory& memory, Tracked& tracked);

/// After the commit: starts what is due for these nonces (sends, signing, queries), and schedules their next decision.
void start_activities(LaneContext& lane, LaneMemory& memory, const std::vector<Nonce>& nonces);

/// Checks everything for work that is due and that no wake-up would trigger; returns a description, for a test.
[[nodiscard]] std::optional<std::string> find_missed(const LaneContext& lane, const LaneMemory& memory);

}  // namespace fencepost::lane
