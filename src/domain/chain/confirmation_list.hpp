// The confirmations of a transaction: the blocks above its block. A consumer that applies the updates ends up with the
// same list: after a fork newFork is true and the list is replaced, otherwise it grows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "domain/chain/block.hpp"
#include "domain/chain/canonical_chain.hpp"

namespace fencepost {

struct ConfirmationUpdate {
    bool new_fork = false;
    /// The whole list after a fork, otherwise only the new blocks.
    std::vector<BlockRef> blocks;

    friend bool operator==(const ConfirmationUpdate&, const ConfirmationUpdate&) = default;
};

/// Whether a transaction's block is on the canonical chain.
enum class BlockStatus {
    included,  // its block is canonical
    orphaned,  // another block is at that height: positive evidence, the receipt must be rolled back
    unseen,    // this view does not cover that height (it lags, or pruned it): no evidence
};

class ConfirmationList {
public:
    /// For a transaction in block `number`/`hash` that needs `required` confirmations, that is blocks *above* it.
    ConfirmationList(BlockNumber number, BlockHash hash, std::uint64_t required);

    [[nodiscard]] BlockStatus block_status(const CanonicalChain& chain) const;

    /// Applies the current chain; returns an update only if the block is included and the list changed. The list may
    /// shrink after a reorg, and never holds more than `required` blocks.
    [[nodiscard]] std::optional<ConfirmationUpdate> follow(const CanonicalChain& chain);

    [[nodiscard]] const std::vector<BlockRef>& blocks() const { return blocks_; }
    [[nodiscard]] std::uint64_t depth() const { return blocks_.size(); }
    [[nodiscard]] bool is_deep_enough() const { return blocks_.size() >= required_; }

private:
    BlockNumber number_;
    BlockHash hash_;
    std::uint64_t required_;
    std::vector<BlockRef> blocks_;
};

/// The confirmations of a block on this chain, computed without history.
[[nodiscard]] std::vector<BlockRef> confirmations_of(BlockNumber number, const CanonicalChain& chain,
                                                     std::uint64_t required);

}  // namespace fencepost
