// Who is woken by what. A transaction is decided about when something names it, when its time has come, or when
// something happens that it waits for without being named. These are all:
//
// | what happens                               | who is woken                                        | where |
// |--------------------------------------------|-----------------------------------------------------|--------------------|
// | a message names its nonce or hash          | that one                                            | take_… functions
// | | its own time comes (resend, bump, …)       | that one                                            |
// LaneMemory::agenda | | the turn that changed it is committed      | that one | Turn::apply_to     | | a new head:
// deep enough                    | the unsettled of the blocks that are deep enough    | follow_head        | | a new
// head: a reorg                        | those of the removed blocks, settled ones read back | follow_head        | | a
// new head: an external transaction's fate | those whose nonce it used                           | follow_head        |
// | a nonce that no endpoint holds is held     | those that waited above it                          | close_gap |
//
// What waits for a nonce (window, funds, a pause, an operator's resume) is looked at in every turn, from the head of
// the queue as far as nonces could be given.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lane/lane_context.hpp"
#include "lane/lane_memory.hpp"

namespace fencepost::lane {

/// Follows in the lane's indexes what became of it.
void update_indexes(const LaneContext& lane, LaneMemory& memory, Tracked& tracked);

/// After the commit: starts what is due about these (bytes to be sent, attempts to be signed, questions to be asked),
/// and sets when each is looked at again.
void start_activities(LaneContext& lane, LaneMemory& memory, const std::vector<Nonce>& nonces);

/// Looks at everything: is something due that was not touched and that no wake-up will bring? In words, for a test.
[[nodiscard]] std::optional<std::string> find_missed(const LaneContext& lane, const LaneMemory& memory);

}  // namespace fencepost::lane
