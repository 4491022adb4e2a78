// What a connector that holds the key is asked to sign and to send. It is on record before the request leaves: bytes
// and hash are not known by then, so this is the only form in which the second law can hold. An attempt is made of it
// once its hash is known.
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

/// The attempt that it became. Nobody but the connector has its bytes.
[[nodiscard]] inline Attempt attempt_of(const ClaimedSend& claim, const TxHash& hash) {
    return {.kind = claim.kind,
            .nonce = claim.nonce,
            .hash = hash,
            .raw = {},
            .fees = claim.fees,
            .gas_limit = claim.gas_limit};
}

/// Whether the attempt is what became of the claim.
[[nodiscard]] inline bool is_made_of(const Attempt& attempt, const ClaimedSend& claim) {
    return attempt.kind == claim.kind && attempt.fees == claim.fees && attempt.gas_limit == claim.gas_limit;
}

}  // namespace fencepost
