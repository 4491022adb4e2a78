// The possible decisions of the stuck policy about a STUCK transaction.
#pragma once

#include "base/text/enum_names.hpp"

namespace fencepost {

enum class StuckDecision {
    wait,            // continue as before
    bump,            // one more attempt with higher fees, within the cap
    filler,          // consume the nonce; the transaction fails once that is final
    hand_to_person,  // do nothing until an operator issues a command
};
FP_ENUM_NAMES(StuckDecision, as_written, wait, bump, filler, hand_to_person)

}  // namespace fencepost
