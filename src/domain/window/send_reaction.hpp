// How the send window reacts to an endpoint's answer. One row per answer, so that the rule is not spread over the code.
#pragma once

#include <array>
#include <utility>

#include "base/assert.hpp"
#include "base/text/enum_names.hpp"
#include "domain/window/send_outcome.hpp"

namespace fencepost {

enum class SendReaction {
    nothing,         // no information about pools
    reduce_account,  // the pool accepts no more of this account: the window is too large
    reduce_pool,     // the pool is full: all lanes together send too much there
    reprice,         // the fee is too low for this endpoint; a smaller window would not help
    wait_for_funds,  // the account cannot pay
    back_off,        // it may not have arrived: pause sends to this endpoint
};
FP_ENUM_NAMES(SendReaction, as_written, nothing, reduce_account, reduce_pool, reprice, wait_for_funds, back_off)

inline constexpr std::array<std::pair<SendOutcome, SendReaction>, 19> send_reactions{{
    {SendOutcome::accepted, SendReaction::nothing},
    {SendOutcome::already_known, SendReaction::nothing},
    {SendOutcome::nonce_too_low, SendReaction::nothing},
    // The pool's queue for out-of-order transactions is full or missing.
    {SendOutcome::nonce_too_high, SendReaction::reduce_account},
    // Our own bump or an external transaction holds the nonce.
    {SendOutcome::replacement_underpriced, SendReaction::nothing},
    // Below the cheapest transaction of a full pool. If it is a fixed minimum instead, a smaller window does no harm.
    {SendOutcome::underpriced, SendReaction::reduce_pool},
    {SendOutcome::price_floor, SendReaction::reprice},
    {SendOutcome::fee_below_base_fee, SendReaction::reprice},
    {SendOutcome::tip_above_cap, SendReaction::nothing},
    {SendOutcome::node_fee_cap, SendReaction::nothing},
    {SendOutcome::insufficient_funds, SendReaction::wait_for_funds},
    {SendOutcome::intrinsic_gas, SendReaction::nothing},
    {SendOutcome::over_block_gas_limit, SendReaction::nothing},
    {SendOutcome::pool_full, SendReaction::reduce_pool},
    {SendOutcome::account_limit, SendReaction::reduce_account},
    {SendOutcome::invalid_signature, SendReaction::nothing},
    {SendOutcome::rejected, SendReaction::nothing},
    {SendOutcome::not_sent, SendReaction::nothing},
    {SendOutcome::unknown, SendReaction::back_off},
}};

[[nodiscard]] constexpr SendReaction reaction_to(SendOutcome outcome) {
    for (const auto& [answer, reaction] : send_reactions)
        if (answer == outcome) return reaction;
    FP_UNREACHABLE();
}

}  // namespace fencepost
