// One signed variant of a transaction at its nonce. It is recorded before any of its bytes are sent (law 2), and
// watched until finalized, also after a replacement: any attempt may be mined (failure 6).
#pragma once

#include "base/bytes.hpp"
#include "base/text/enum_names.hpp"
#include "domain/fees.hpp"
#include "domain/ids.hpp"

namespace fencepost {

enum class AttemptKind {
    original,
    bump,    // the same intent with higher fees
    filler,  // gap filler: a no-op that consumes the nonce instead of the intent (law 4)
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
