// What an endpoint said to a transaction, as one of a closed set. `unknown` means "may have been sent": a time-out, a
// broken connection or words nobody has seen are never a failure (law 5).
#pragma once

#include "base/text/enum_names.hpp"

namespace fencepost {

enum class SendOutcome {
    accepted,
    already_known,
    nonce_too_low,
    nonce_too_high,
    replacement_underpriced,  // *another* transaction holds the slot; not the same as already known
    underpriced,              // below a floor, or below what a full pool already holds: the words do not tell
    price_floor,              // the endpoint names the least it takes
    fee_below_base_fee,
    tip_above_cap,
    node_fee_cap,  // the node's own ceiling, not ours
    insufficient_funds,
    intrinsic_gas,
    over_block_gas_limit,
    pool_full,
    account_limit,  // the pool takes no more of this account
    invalid_signature,
    rejected,
    not_sent,  // a lower nonce was refused there: nothing left us
    unknown,
};
FP_ENUM_NAMES(SendOutcome, as_written, accepted, already_known, nonce_too_low, nonce_too_high, replacement_underpriced,
              underpriced, price_floor, fee_below_base_fee, tip_above_cap, node_fee_cap, insufficient_funds,
              intrinsic_gas, over_block_gas_limit, pool_full, account_limit, invalid_signature, rejected, not_sent,
              unknown)

/// The endpoint has the bytes.
[[nodiscard]] constexpr bool is_held(SendOutcome outcome) {
    return outcome == SendOutcome::accepted || outcome == SendOutcome::already_known;
}

/// Why prepare refused an intent, or endpoints agreed to refuse its transaction for good.
enum class Refusal {
    invalid_input,
    insufficient_funds,
    revert,
    gas_too_low,
    invalid_signature,
    over_block_gas_limit,
    expired,
    policy  // the submitter's key may not be used for it, or has been used for too much lately
};
FP_ENUM_NAMES(Refusal, upper, invalid_input, insufficient_funds, revert, gas_too_low, invalid_signature,
              over_block_gas_limit, expired, policy)

}  // namespace fencepost
