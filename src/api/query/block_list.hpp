// Reduces the shared tree of headers to one list of blocks for readers. Each follower has its own view of the canonical
// chain; a reader without a view takes the longest branch.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "domain/chain/block.hpp"

namespace fencepost::api {

/// The blocks on top of `base` on the longest branch; of two equally long branches, the one whose first block comes
/// first in `seen`. `seen` holds headers in any order. Returns at most `most` blocks.
[[nodiscard]] std::vector<BlockRef> longest_branch(const BlockHash& base, const std::vector<BlockRef>& seen,
                                                   std::size_t most);

/// What a caller lacks that has the list up to a certain block (newFork in the API).
struct BlocksSince {
    std::vector<BlockRef> blocks;
    /// The caller's list is not a prefix of the present one: `blocks` holds all blocks and replaces it.
    bool is_new_fork = false;
};

/// Each block names its parent, so one hash identifies all blocks below it. Without `seen`: the whole list, no fork.
[[nodiscard]] BlocksSince blocks_since(const std::optional<BlockHash>& seen, std::vector<BlockRef> list);

}  // namespace fencepost::api
