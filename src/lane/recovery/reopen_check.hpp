// Checks that a reopened lane would decide like the open one. Decisions follow from a transaction and its facts
// (domain/tx_decision.hpp), so it is sufficient that the store contains the same of both. For the simulator.
#pragma once

#include <optional>
#include <string>

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"

namespace fencepost::lane {

/// What the next owner would not know, or know differently, as text. Legitimate differences are ignored: activities,
/// back-offs (which may only end earlier), and what an endpoint may hold.
[[nodiscard]] std::optional<std::string> find_forgotten(const LaneContext& lane, const LaneMemory& memory,
                                                        const LaneState& stored);

}  // namespace fencepost::lane
