// An endpoint's answer to a send, as a closed set. `unknown` means "may have been sent": a time-out, a broken
// connection or an unrecognised message is never a failure (law 5).
#pragma once

#include "base/text/enum_names.hpp"

namespace fencepost {

enum class SendOutcome {
    accepted,
    already_known,
    nonce_too_low,
    nonce_too_high,
    replacement_underpriced,  // *another* transaction holds the nonce; not the same as already known
    underpriced,              // below a minimum, or below everything in a full pool: the message does not say
    price_floor,              // the endpoint reports its minimum
    fee_below_base_fee,
    tip_above_cap,
    node_fee_cap,  // the node's own limit, not the configured cap
    insufficient_funds,
    intrinsic_gas,
    over_block_gas_limit,
    pool_full,
    account_limit,  // the pool accepts no more transactions of this account
    invalid_signature,
    rejected,
    not_sent,  // a lower nonce was refused there, so nothing was sent
    unknown,
};
FP_ENUM_NAMES(SendOutcome, as_written, accepted, already_known, nonce_too_low, nonce_too_high, replacement_underpriced,
              underpriced, price_floor, fee_below_base_fee, tip_above_cap, node_fee_cap, insufficient_funds,
              intrinsic_gas, over_block_gas_limit, pool_full, account_limit, invalid_signature, rejected, not_sent,
              unknown)

/// Whether the endpoint holds the bytes.
[[nodiscard]] constexpr bool is_held(SendOutcome outcome) {
    return outcome == SendOutcome::accepted || outcome == SendOutcome::already_known;
}

/// Why prepare refused an intent, or endpoints agreed to refuse its transaction permanently.
enum class Refusal {
    invalid_input,
    insufficient_funds,
    revert,
    gas_too_low,
    invalid_signature,
    over_block_gas_limit,
    expired,
    policy  // forbidden by the submitter's policy, or above its spending limit
};
FP_ENUM_NAMES(Refusal, upper, invalid_input, insufficient_funds, revert, gas_too_low, invalid_signature,
              over_block_gas_limit, expired, policy)

}  // namespace fencepost
