// Funds: whether the account can pay for one more transaction, with the reserve for everything in flight and a gap
// filler for each nonce: a nonce that cannot be paid for blocks the key (law 4).
#pragma once

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"

namespace fencepost::lane {

enum class Affordable {
    yes,
    later,  // not besides what is in flight, or the balance is unknown
    no,     // not even alone
};

/// Reads the balance when new blocks have arrived and a transaction waits for a nonce; with a low-balance alert also
/// while something is watched, and in each reconciler round.
void start_balance_read(LaneContext& lane, LaneMemory& memory);
void handle_balance(const LaneContext& lane, LaneMemory& memory, const BalanceRead& read);

/// The reserve for a transaction at its nonce: its own cost, or that of the most expensive gap filler if higher. None
/// when it does not fit 256 bits.
[[nodiscard]] std::optional<Wei> reserve_for(const LaneOptions& options, const Fees& fees, Gas gas_limit, Wei value);

/// Updates the total reserve after a change of this transaction.
void update_reserve(const LaneOptions& options, LaneMemory& memory, Tracked& tracked);

/// Whether `cost` can be paid besides what is `taken` already.
[[nodiscard]] Affordable affordable(const LaneMemory& memory, const Wei& taken, const std::optional<Wei>& cost);

}  // namespace fencepost::lane
