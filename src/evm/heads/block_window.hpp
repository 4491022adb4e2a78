// One follower's view of the canonical chain: contiguous blocks from the finalized one (or as far down as the limit
// allows) to the head. Slow consumers catch up from here.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "domain/chain/canonical_chain.hpp"
#include "ports/chain.hpp"

namespace fencepost::evm {

using BlockPtr = std::shared_ptr<const Block>;
using Blocks = std::vector<BlockPtr>;  // ascending, each the parent of the next

class BlockWindow {
public:
    /// As CanonicalChain::adopt().
    [[nodiscard]] Result<HeadChange, AdoptError> adopt(const Blocks& branch);
    /// Drops all blocks and starts over with these.
    void replace(const Blocks& blocks);
    void prune_below(BlockNumber number);

    [[nodiscard]] const CanonicalChain& chain() const { return chain_; }
    /// The blocks at this height and above.
    [[nodiscard]] Blocks from(BlockNumber number) const;

private:
    CanonicalChain chain_;
    std::deque<BlockPtr> blocks_;  // the same blocks as in chain_
};

[[nodiscard]] std::vector<BlockRef> refs_of(std::span<const BlockPtr> blocks);

}  // namespace fencepost::evm
