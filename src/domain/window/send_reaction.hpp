// What an endpoint's answer to a send says about how much may be sent. One row per answer, so that nothing is decided
// in passing elsewhere.
#pragma once

#include <array>
#include <utility>

#include "base/assert.hpp"
#include "base/text/enum_names.hpp"
#include "domain/window/send_outcome.hpp"

namespace fencepost {

enum class SendReaction {
    nothing,         // it says nothing about pools
    reduce_account,  // the pool takes no more of this account: this window is too large
    reduce_pool,     // the pool is full: what all lanes together send there is too much
    reprice,         // it pays too little for this endpoint; no smaller number would help
    wait_for_funds,  // the account cannot pay
    back_off,        // it may not have been heard at all: the endpoint is left alone for a while
};
FP_ENUM_NAMES(SendReaction, as_written, nothing, reduce_account, reduce_pool, reprice, wait_for_funds, back_off)

inline constexpr std::array<std::pair<SendOutcome, SendReaction>, 19> send_reactions{{
    {SendOutcome::accepted, SendReaction::nothing},
    {SendOutcome::already_known, SendReaction::nothing},
    {SendOutcome::nonce_too_low, SendReaction::nothing},
    // Its queue of transactions out of order is full, or it keeps none.
    {SendOutcome::nonce_too_high, SendReaction::reduce_account},
    // By our own bump, or by somebody's: the slot is held.
    {SendOutcome::replacement_underpriced, SendReaction::nothing},
    // Below what a full pool holds. Were it a floor, a smaller number would do no harm.
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
