// Compares the cursor with the chain before the first allocation of an opened lane. A new submitter has no cursor and
// takes it from the chain. Later, a chain that is ahead means external use of the key, or lost database commits
// (failure 30); a chain below the finalized count is a different chain. In these cases the submitter is stopped.
#pragma once

#include <optional>

#include "lane/loop/lane_context.hpp"
#include "ports/store/lane_store.hpp"

namespace fencepost::lane {

/// Until when an unfavourable answer is retried, because more endpoints or a later answer may correct it. Starts with
/// the first such answer of an opening.
struct RetryDeadline {
    std::optional<Instant> until{};
};

/// What must be written before the lane starts: the cursor of a new submitter, or a PROTECT with its reason. None if
/// nothing is needed. An error means that the chain gave no sufficient answer yet: retry.
[[nodiscard]] Task<RpcResult<std::optional<LaneWrite>>> compare_with_chain(LaneContext* context, LaneState state,
                                                                           RetryDeadline* patience);

/// Raises an alert after the commit that stops the submitter; not before, because the commit may fail.
void alert_if_stopped(const LaneContext& lane, const LaneWrite& written);

}  // namespace fencepost::lane
