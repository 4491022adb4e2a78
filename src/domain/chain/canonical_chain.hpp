// One follower's view of the chain: a contiguous range of headers down to the finalized block. A reorg is reported as
// the removed and the added blocks above a common ancestor.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "domain/chain/block.hpp"

namespace fencepost {

struct HeadChange {
    /// The last block that both branches share; none when the view was empty before.
    std::optional<BlockRef> common_ancestor;
    std::vector<BlockRef> removed;  // ascending
    std::vector<BlockRef> added;    // ascending

    [[nodiscard]] bool is_reorg() const { return !removed.empty(); }
    friend bool operator==(const HeadChange&, const HeadChange&) = default;
};

enum class AdoptError {
    unlinked,          // the parent of the branch is unknown: fetch its ancestors first
    below_the_window,  // the fork point is below the oldest kept block, at or under finality: stop and alert an
                       // operator
};

class CanonicalChain {
public:
    /// Adopts a branch of linked blocks, ascending, whose first block has its parent on this chain (or the chain is
    /// empty). Blocks above that parent are removed. A branch of known blocks changes nothing: an endpoint that lags
    /// must not remove blocks (law 5).
    [[nodiscard]] Result<HeadChange, AdoptError> adopt(std::span<const BlockRef> branch);

    /// Drops blocks below this height, because they are finalized.
    void prune_below(BlockNumber number);

    [[nodiscard]] bool empty() const { return blocks_.empty(); }
    [[nodiscard]] const BlockRef* head() const { return blocks_.empty() ? nullptr : &blocks_.back(); }
    [[nodiscard]] const BlockRef* oldest() const { return blocks_.empty() ? nullptr : &blocks_.front(); }
    /// The block at this height, if it is in the kept range.
    [[nodiscard]] const BlockRef* at(BlockNumber number) const;
    [[nodiscard]] bool contains(const BlockRef& block) const;

private:
    std::deque<BlockRef> blocks_;
};

}  // namespace fencepost
