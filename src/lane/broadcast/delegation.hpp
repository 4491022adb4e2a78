// Pools of geth take one transaction at a time of an account that is delegated (EIP-7702), and hide the refusal
// (failure 73). Fencepost makes no transaction that delegates: it comes from outside, at any time.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"

namespace fencepost::lane {

/// Asks when the lane opens, and again and again while the account is delegated.
void follow_delegation(LaneContext& lane, LaneMemory& memory);
/// Pools behave as if it were: is it, by now?
void ask_whether_delegated(LaneContext& lane, LaneMemory& memory);
void take_delegation(LaneContext& lane, LaneMemory& memory, const DelegationRead& read);
/// When the lane is to ask again.
[[nodiscard]] Instant next_delegation_look(const LaneMemory& memory);

}  // namespace fencepost::lane
