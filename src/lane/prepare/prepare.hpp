// The first step, before there is a nonce: what certainly fails is rejected here and costs nothing. Only what is
// certain: a revert or a shortfall while predecessors are in flight proves nothing (failure 31).
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Sends out the preparation of every intent that could get a nonce soon.
void start_preparing(LaneContext& lane, LaneMemory& memory);

/// Takes in what came of one.
void take_preparation(LaneContext& lane, LaneMemory& memory, const Prepared& prepared, Turn& turn);

/// Ends an intent that has no nonce, and pauses the submitter where the operator wants that.
void reject(LaneContext& lane, QueueItem& item, const Refused& why, Turn& turn);

/// What the submitter's policy says about one transaction, gas and fee too where the intent has them. Nothing when it
/// is allowed.
[[nodiscard]] std::optional<Refused> refuse_by_policy(const LaneOptions& options, const Intent& intent);

/// Whether the intent's time has passed, by this machine's clock or by the chain's: whichever says so first.
[[nodiscard]] bool is_expired(const LaneContext& lane, const Intent& intent);

}  // namespace fencepost::lane
