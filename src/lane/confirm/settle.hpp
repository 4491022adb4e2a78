// Records the verdict when the receipt is final. The lane keeps watching until the block is finalized: a settled
// transaction whose block is removed must be sent again, otherwise it blocks all higher nonces.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Records the verdict, if its receipt is final.
void settle_if_final(LaneContext& lane, const LaneMemory& memory, Tracked& tracked, Turn& turn);
/// Advances the lowest watched nonce.
void move_watch(const LaneContext& lane, LaneMemory& memory, Turn& turn);

/// Whether the failure reason must be queried before the verdict.
[[nodiscard]] bool needs_reason(const Tracked& tracked);
void start_reason_query(LaneContext& lane, Tracked& tracked);
void handle_reason(const LaneContext& lane, LaneMemory& memory, const FailureExplained& explained);

}  // namespace fencepost::lane
