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

template <>
inline constexpr EnumNames<SendOutcome, 19> enum_names<SendOutcome>{{
    {SendOutcome::accepted, "accepted"},
    {SendOutcome::already_known, "already_known"},
    {SendOutcome::nonce_too_low, "nonce_too_low"},
    {SendOutcome::nonce_too_high, "nonce_too_high"},
    {SendOutcome::replacement_underpriced, "replacement_underpriced"},
    {SendOutcome::underpriced, "underpriced"},
    {SendOutcome::price_floor, "price_floor"},
    {SendOutcome::fee_below_base_fee, "fee_below_base_fee"},
    {SendOutcome::tip_above_cap, "tip_above_cap"},
    {SendOutcome::node_fee_cap, "node_fee_cap"},
    {SendOutcome::insufficient_funds, "insufficient_funds"},
    {SendOutcome::intrinsic_gas, "intrinsic_gas"},
    {SendOutcome::over_block_gas_limit, "over_block_gas_limit"},
    {SendOutcome::pool_full, "pool_full"},
    {SendOutcome::account_limit, "account_limit"},
    {SendOutcome::invalid_signature, "invalid_signature"},
    {SendOutcome::rejected, "rejected"},
    {SendOutcome::not_sent, "not_sent"},
    {SendOutcome::unknown, "unknown"},
}};

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

template <>
inline constexpr EnumNames<Refusal, 8> enum_names<Refusal>{{
    {Refusal::invalid_input, "INVALID_INPUT"},
    {Refusal::insufficient_funds, "INSUFFICIENT_FUNDS"},
    {Refusal::revert, "REVERT"},
    {Refusal::gas_too_low, "GAS_TOO_LOW"},
    {Refusal::invalid_signature, "INVALID_SIGNATURE"},
    {Refusal::over_block_gas_limit, "OVER_BLOCK_GAS_LIMIT"},
    {Refusal::expired, "EXPIRED"},
    {Refusal::policy, "POLICY"},
}};

}  // namespace fencepost
