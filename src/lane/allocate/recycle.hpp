// Recycles a nonce of a shared key: its transaction fails, and the next one takes the nonce. Only if no bytes of the
// transaction can exist outside: otherwise it could be mined after its caller was told that it failed (failure 28). And
// only if it is our highest nonce: otherwise it would be a gap. In all other cases a gap filler consumes the nonce, as
// in strict mode.
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"
#include "lane/loop/turn.hpp"

namespace fencepost::lane {

/// Whether all receivers of its bytes refused it, this lane has seen all of its sends, and no own nonce is above.
[[nodiscard]] bool can_recycle(const LaneContext& lane, const LaneMemory& memory, const Tracked& tracked,
                               const Turn& turn);

/// Records verdict and release of the nonce in one commit. The caller guarantees that the transaction can never be
/// mined. False when it is not possible in this turn.
bool fail_and_recycle(LaneContext& lane, const Tracked& tracked, const std::string& reason, Turn& turn);

}  // namespace fencepost::lane
