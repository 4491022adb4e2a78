// The shared tree of headers as one line of blocks, for those who only look: what is canonical is each follower's own
// view, and the longest branch is the best guess of who has none.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "domain/chain/block.hpp"

namespace fencepost::api {

/// The blocks that stand on `base`, one on the other, on the longest branch; of two that are as long, the one whose
/// first block comes first. `seen` are headers in any order. No more than `most`.
[[nodiscard]] std::vector<BlockRef> longest_branch(const BlockHash& base, const std::vector<BlockRef>& seen,
                                                   std::size_t most);

/// What a caller needs who has the list up to a block already (the seeds' newFork).
struct BlocksSince {
    std::vector<BlockRef> blocks;
    /// The caller's list is no beginning of this one: these are all blocks, and replace it.
    bool is_new_fork = false;
};

/// Each block names its parent, so one hash stands for all below it. Without one it is the whole list, and no fork.
[[nodiscard]] BlocksSince blocks_since(const std::optional<BlockHash>& seen, std::vector<BlockRef> list);

}  // namespace fencepost::api
