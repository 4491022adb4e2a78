// Who is woken by what. A transaction is decided about when something names it, when its time has come, or when
// something happens that it waits for without being named. These are all:
//
// - a message names its nonce or hash: that one (the take_… functions);
// - its own time has come (resend, bump, time-out, a question): that one (LaneMemory::agenda);
// - the turn that changed it is committed: that one (Turn::apply_to);
// - a new head makes blocks deep enough: the unsettled ones in them (follow_head);
// - a new head removes blocks: those in them; settled ones are read back from the store (follow_head);
// - a new head decides the fate of external transactions: those whose nonce they used (follow_head);
// - what a lane must hear before anything irreversible is heard: those that waited for it (recovery/verification.hpp);
// - a nonce that no endpoint held is held, or mined: those that waited above it (LaneMemory::close_gap).
//
// What waits for a nonce (window, funds, a pause, an operator's resume) is looked at in every turn, from the head of
// the queue as far as nonces could be given.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"

namespace fencepost::lane {

/// Follows in the lane's indexes what became of it.
void update_indexes(const LaneContext& lane, LaneMemory& memory, Tracked& tracked);

/// After the commit: starts what is due about these (bytes to be sent, attempts to be signed, questions to be asked),
/// and sets when each is looked at again.
void start_activities(LaneContext& lane, LaneMemory& memory, const std::vector<Nonce>& nonces);

/// Looks at everything: is something due that was not touched and that no wake-up will bring? In words, for a test.
[[nodiscard]] std::optional<std::string> find_missed(const LaneContext& lane, const LaneMemory& memory);

}  // namespace fencepost::lane
