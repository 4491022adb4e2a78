// A lane that is closed and opened again must decide as one that was not. Decisions follow from a transaction and its
// facts (domain/tx_decision.hpp), so it is enough that the next owner would find the same of both in the store. For the
// simulator.
#pragma once

#include <optional>
#include <string>

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"

namespace fencepost::lane {

/// What the next owner would not know, or would know otherwise; in words. Left out is what may differ: what is under
/// way, back-offs (which may only end earlier), and what an endpoint may hold.
[[nodiscard]] std::optional<std::string> find_forgotten(const LaneContext& lane, const LaneMemory& memory,
                                                        const LaneState& stored);

}  // namespace fencepost::lane
