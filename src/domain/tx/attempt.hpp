// One signed variant of a transaction at its nonce. It is on record before a byte of it leaves the process (law 2), and
// it is watched until final, whatever replaced it: whichever attempt is mined counts (failure 6).
#pragma once

#include "base/bytes.hpp"
#include "base/text/enum_names.hpp"
#include "domain/fees.hpp"
#include "domain/ids.hpp"

namespace fencepost {

enum class AttemptKind {
    original,
    bump,    // the same intent with higher fees
    filler,  // a transfer of nothing to oneself, which consumes the nonce instead of the intent (law 4)
};
FP_ENUM_NAMES(AttemptKind, as_written, original, bump, filler)

struct Attempt {
    AttemptKind kind = AttemptKind::original;
    Nonce nonce;
    TxHash hash;
    Bytes raw;
    Fees fees;
    Gas gas_limit;

    friend bool operator==(const Attempt&, const Attempt&) = default;
};

}  // namespace fencepost
