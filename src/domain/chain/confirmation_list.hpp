// The blocks above the one that includes a transaction: its confirmations. A reader who follows the updates ends up
// with the same list: when the prefix changed, newFork is true and the list is replaced whole; otherwise it grows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "domain/chain/block.hpp"
#include "domain/chain/canonical_chain.hpp"

namespace fencepost {

struct ConfirmationUpdate {
    bool new_fork = false;
    /// The whole list after a fork, otherwise only what is new.
    std::vector<BlockRef> blocks;

    friend bool operator==(const ConfirmationUpdate&, const ConfirmationUpdate&) = default;
};

/// What the chain says about a transaction's place in it.
enum class Standing {
    included,  // its block is canonical
    orphaned,  // another block stands at that height: positive evidence, the receipt must be rolled back
    unseen,    // this view does not reach that height (it lags, or pruned it): no evidence of anything
};

class ConfirmationList {
public:
    /// For a transaction in block `number`/`hash`, of which `required` confirmations are wanted: blocks *above* it.
    ConfirmationList(BlockNumber number, BlockHash hash, std::uint64_t required);

    [[nodiscard]] Standing standing(const CanonicalChain& chain) const;

    /// Follows the chain; nothing unless the block is included and the list changed. The list may fall back after a
    /// reorg, and never holds more than `required` blocks.
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

/// The confirmations of a block by this chain alone, without a history.
[[nodiscard]] std::vector<BlockRef> confirmations_of(BlockNumber number, const CanonicalChain& chain,
                                                     std::uint64_t required);

}  // namespace fencepost
