// Why a transaction is overdue, guessed from what pools show: data for whoever asks, and one plain sentence. It decides
// nothing: a pool is one endpoint's opinion of the moment, and never proof (law 5).
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

enum class Likely {
    in_pool,          // it waits, and nothing speaks against it
    lost,             // no endpoint knows it
    replaced,         // another attempt of ours stands in its place
    gap_below,        // a lower nonce is missing, and it waits for that
    underpriced,      // it offers less than the base fee
    foreign_in_slot,  // somebody else's transaction stands at its nonce
    node_lagging,     // an endpoint has it in a block, and we have no receipt yet
    window_full,      // it is not sent before lower nonces are mined
};
FP_ENUM_NAMES(Likely, as_written, in_pool, lost, replaced, gap_below, underpriced, foreign_in_slot, node_lagging,
              window_full)

/// What endpoints say about a nonce in flight.
struct SlotFacts {
    Nonce nonce;
    /// All our bytes for it, in order; at least one.
    std::vector<TxHash> ours;
    /// The most that the latest of them offers for a unit of gas.
    Wei offered;
    /// Some of ours is known to an endpoint: in a pool, or in this block.
    bool is_known = false;
    std::optional<BlockNumber> in_block{};
    /// What stands in a pool at this nonce, where endpoints show theirs.
    std::optional<TxHash> in_pool{};
    /// The window has no room for it: nobody sends it, so its absence says nothing.
    std::optional<QueuedBehind> withheld{};
};

struct Diagnosis {
    Nonce nonce;
    Likely likely{};
    std::optional<Nonce> gap{};            // of gap_below
    std::optional<TxHash> other{};         // of replaced and foreign_in_slot, where it is known
    std::optional<Wei> short_by{};         // of underpriced, for a unit of gas
    std::optional<QueuedBehind> behind{};  // of window_full
    std::string sentence{};
};

/// One for each slot, which are all that is in flight from the lowest nonce up. `count` is how many transactions of the
/// account the chain has.
[[nodiscard]] std::vector<Diagnosis> diagnose(std::span<const SlotFacts> slots, Nonce count,
                                              std::optional<Wei> base_fee);

}  // namespace fencepost
