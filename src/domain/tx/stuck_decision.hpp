// What the policy may answer about a transaction for which the automatic means are used up.
#pragma once

#include "base/text/enum_names.hpp"

namespace fencepost {

enum class StuckDecision {
    wait,            // go on trying as before
    bump,            // one more attempt with higher fees, within the cap
    filler,          // consume the nonce; the transaction fails once that is final
    hand_to_person,  // leave it alone until somebody commands
};
FP_ENUM_NAMES(StuckDecision, as_written, wait, bump, filler, hand_to_person)

}  // namespace fencepost
