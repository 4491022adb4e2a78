// A nonce of a shared key is given back with the verdict of the transaction that had it, and the next one takes it.
// Only where no byte of that transaction can be anywhere: otherwise it could be mined after its caller was told that it
// failed (failure 28). And only above all others of ours: below them it would be a hole that they wait for. Otherwise a
// filler consumes the nonce, as for a key that is ours alone.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Whether everybody who was ever sent its bytes said no, this lane has seen all of it, and nothing of ours is above.
[[nodiscard]] bool may_recycle(const LaneContext& lane, const LaneMemory& memory, const Tracked& tracked,
                               const Turn& turn);

/// The verdict and the nonce's freedom in one commit. The caller of this is certain that it can never be mined. False
/// when it cannot be done in this turn.
bool fail_and_recycle(LaneContext& lane, const Tracked& tracked, const std::string& reason, Turn& turn);

}  // namespace fencepost::lane
