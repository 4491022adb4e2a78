// One follower's view of the chain: a contiguous window of headers down to what is final. A reorg is told as what was
// removed and what was added above a common ancestor.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "domain/chain/block.hpp"

namespace fencepost {

struct HeadChange {
    /// The last block both branches share; none when the view was empty before.
    std::optional<BlockRef> common_ancestor;
    std::vector<BlockRef> removed;  // ascending
    std::vector<BlockRef> added;    // ascending

    [[nodiscard]] bool is_reorg() const { return !removed.empty(); }
    friend bool operator==(const HeadChange&, const HeadChange&) = default;
};

enum class AdoptError {
    unlinked,          // the branch does not start on a block we have: fetch its ancestors first
    below_the_window,  // the fork point lies below the oldest block we keep, at or under finality: stop and tell a
                       // person
};

class CanonicalChain {
public:
    /// Adopts a branch of blocks that link to each other, ascending, of which the first stands on a block of this chain
    /// (or the chain is empty). What stood above that block is removed. A branch of blocks that are all known changes
    /// nothing: an endpoint that lags must not take blocks away (law 5).
    [[nodiscard]] Result<HeadChange, AdoptError> adopt(std::span<const BlockRef> branch);

    /// Forgets blocks below this height, because they are final.
    void prune_below(BlockNumber number);

    [[nodiscard]] bool empty() const { return blocks_.empty(); }
    [[nodiscard]] const BlockRef* head() const { return blocks_.empty() ? nullptr : &blocks_.back(); }
    [[nodiscard]] const BlockRef* oldest() const { return blocks_.empty() ? nullptr : &blocks_.front(); }
    /// The block at this height, if it is inside the window.
    [[nodiscard]] const BlockRef* at(BlockNumber number) const;
    [[nodiscard]] bool contains(const BlockRef& block) const;

private:
    std::deque<BlockRef> blocks_;
};

}  // namespace fencepost
