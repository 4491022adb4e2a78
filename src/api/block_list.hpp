// The shared tree of headers as one line of blocks, for those who only look: what is canonical is each follower's own
// view, and the longest branch is the best guess of who has none.
#pragma once

#include <cstddef>
#include <vector>

#include "domain/block.hpp"

namespace fencepost::api {

/// The blocks that stand on `base`, one on the other, on the longest branch; of two that are as long, the one whose
/// first block comes first. `seen` are headers in any order. No more than `most`.
[[nodiscard]] std::vector<BlockRef> longest_branch(const BlockHash& base, const std::vector<BlockRef>& seen,
                                                   std::size_t most);

}  // namespace fencepost::api
