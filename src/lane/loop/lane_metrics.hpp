// What a commit adds to the metrics. Counted here, once it is on record, and nowhere else: what was decided and not
// written did not happen.
#pragma once

#include <map>

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Before the memory has taken the edits in.
void count_committed(const LaneContext& lane, LaneMemory& memory, const std::map<TxId, Edit>& edits);
void count_nonces(const LaneContext& lane, const std::map<TxId, Edit>& edits, const std::map<Nonce, NonceMark>& marks);

}  // namespace fencepost::lane
