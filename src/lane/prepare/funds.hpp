// Whether the account can pay for one more transaction, with all that is in flight and a filler for each nonce set
// aside: a nonce that nobody can pay to consume blocks the key (law 4).
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"

namespace fencepost::lane {

enum class Affordable {
    yes,
    later,  // not with what is in flight, or the balance is not known yet
    no,     // not even alone
};

/// Reads the balance again when blocks have come since the last time and somebody waits for a nonce; where a low one is
/// to be told, also while something is watched, and with each round of the reconciler.
void start_reading_balance(LaneContext& lane, LaneMemory& memory);
void take_balance(const LaneContext& lane, LaneMemory& memory, const BalanceRead& read);

/// What is set aside for a transaction at its nonce: its own cost, or the dearest filler's if that is more. Nothing
/// when it does not fit 256 bits.
[[nodiscard]] std::optional<Wei> set_aside(const LaneOptions& options, const Fees& fees, Gas gas_limit, Wei value);

/// Follows in the reserve, the sum of what is set aside for everything in flight, what became of this one.
void update_reserve(const LaneOptions& options, LaneMemory& memory, Tracked& tracked);

/// Whether `cost` can be paid besides what is `taken` already.
[[nodiscard]] Affordable affordable(const LaneMemory& memory, const Wei& taken, const std::optional<Wei>& cost);

}  // namespace fencepost::lane
