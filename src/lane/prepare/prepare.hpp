// The first step, before allocation: an intent that is certain to fail is rejected at no cost. A revert or shortfall
// while predecessors are in flight is not certain (failure 31).
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Starts the preparation of every intent that could get a nonce soon.
void start_prepare(LaneContext& lane, LaneMemory& memory);

/// Handles the result of a preparation.
void handle_preparation(LaneContext& lane, LaneMemory& memory, const Prepared& prepared, Turn& turn);

/// Rejects an intent without a nonce, and pauses the submitter if configured.
void reject(LaneContext& lane, QueueItem& item, const Refused& why, Turn& turn);

/// Checks one transaction against the submitter's policy, including gas and fee if the intent sets them. None when it
/// is allowed.
[[nodiscard]] std::optional<Refused> refuse_by_policy(const LaneOptions& options, const Intent& intent);

/// Whether validUntil has passed, by this machine's clock or by the chain's, whichever is first.
[[nodiscard]] bool is_expired(const LaneContext& lane, const Intent& intent);

}  // namespace fencepost::lane
