// Metrics of a commit. Counted only here, after the commit: what was not written did not happen.
#pragma once

#include <map>

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Call before the edits are applied to the memory.
void count_committed(const LaneContext& lane, LaneMemory& memory, const std::map<TxId, Edit>& edits);
void count_nonces(const LaneContext& lane, const std::map<TxId, Edit>& edits, const std::map<Nonce, NonceMark>& marks);

}  // namespace fencepost::lane
