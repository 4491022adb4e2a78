// What a signing connector is asked to sign and to send. It is recorded before the request leaves: bytes and hash are
// not known by then, so this is how law 2 holds here. It becomes an attempt when its hash is known.
#pragma once

#include <optional>
#include <string>

#include "base/bytes.hpp"
#include "domain/fees.hpp"
#include "domain/ids.hpp"
#include "domain/tx/attempt.hpp"

namespace fencepost {

struct ClaimedSend {
    AttemptKind kind = AttemptKind::original;
    Nonce nonce;
    std::optional<std::string> to;
    Wei value;
    Bytes data;
    Gas gas_limit;
    Fees fees;

    friend bool operator==(const ClaimedSend&, const ClaimedSend&) = default;
};

/// The attempt of this claim, once its hash is known. Only the connector has its bytes.
[[nodiscard]] inline Attempt attempt_of(const ClaimedSend& claim, const TxHash& hash) {
    return {.kind = claim.kind,
            .nonce = claim.nonce,
            .hash = hash,
            .raw = {},
            .fees = claim.fees,
            .gas_limit = claim.gas_limit};
}

/// Whether the attempt belongs to this claim.
[[nodiscard]] inline bool is_made_of(const Attempt& attempt, const ClaimedSend& claim) {
    return attempt.kind == claim.kind && attempt.fees == claim.fees && attempt.gas_limit == claim.gas_limit;
}

}  // namespace fencepost
