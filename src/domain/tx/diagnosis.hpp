// The likely cause why a transaction is overdue, derived from pools: structured data and one sentence for people. No
// decision is based on it: the view of a pool is never proof (law 5).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/text/enum_names.hpp"
#include "domain/ids.hpp"
#include "domain/tx/attempt.hpp"
#include "domain/window/window_facts.hpp"

namespace fencepost {

enum class LikelyCause {
    in_pool,          // it is pending, and no problem was found
    lost,             // no endpoint knows it
    replaced,         // another attempt of ours is in its place
    gap_below,        // a lower nonce is missing, which blocks this one
    underpriced,      // its maximum fee is below the base fee
    foreign_in_slot,  // an external transaction is at its nonce
    node_lagging,     // an endpoint has it in a block, and its receipt has not arrived yet
    window_full,      // the send window is full: it is sent after lower nonces are mined
};
FP_ENUM_NAMES(LikelyCause, as_written, in_pool, lost, replaced, gap_below, underpriced, foreign_in_slot, node_lagging,
              window_full)

/// What the endpoints report about a nonce in flight.
struct SlotFacts {
    Nonce nonce;
    /// The hashes of all our attempts, in order; at least one.
    std::vector<TxHash> ours;
    /// The maximum price per gas of the latest attempt.
    Wei offered;
    /// An endpoint knows one of our attempts: in a pool, or in this block.
    bool is_known = false;
    std::optional<BlockNumber> in_block{};
    /// The pooled transaction at this nonce, from endpoints that show their pool.
    std::optional<TxHash> in_pool{};
    /// Not sent because the window is full, so its absence means nothing.
    std::optional<QueuedBehind> withheld{};
};

struct Diagnosis {
    Nonce nonce;
    LikelyCause likely{};
    std::optional<Nonce> gap{};            // of gap_below
    std::optional<TxHash> other{};         // of replaced and foreign_in_slot, where it is known
    std::optional<Wei> short_by{};         // of underpriced, per gas
    std::optional<QueuedBehind> behind{};  // of window_full
    std::string sentence{};
};

/// One per slot, in order; the slots are all nonces in flight, ascending. `count` is the account's transaction count on
/// the chain.
[[nodiscard]] std::vector<Diagnosis> diagnose(std::span<const SlotFacts> slots, Nonce count,
                                              std::optional<Wei> base_fee);

}  // namespace fencepost
