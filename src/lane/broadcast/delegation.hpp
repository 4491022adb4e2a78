// Detects EIP-7702 delegation: geth pools accept one transaction at a time of a delegated account, and hide the refusal
// (failure 73). Fencepost never delegates; others may, at any time.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"

namespace fencepost::lane {

/// Checks when the lane opens, and periodically while the account is delegated.
void poll_delegation(LaneContext& lane, LaneMemory& memory);
/// Checks because pools behave as if the account were delegated.
void check_delegation(LaneContext& lane, LaneMemory& memory);
void handle_delegation(LaneContext& lane, LaneMemory& memory, const DelegationRead& read);
/// The time of the next check.
[[nodiscard]] Instant next_delegation_check(const LaneMemory& memory);

}  // namespace fencepost::lane
