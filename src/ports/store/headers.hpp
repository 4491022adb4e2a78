// The block headers that the nodes of a cluster have seen: one shared tree per chain. Insert-only: each follower
// decides what is canonical, so two nodes on two sides of a fork do not overwrite each other.
#pragma once

#include <vector>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "domain/chain/block.hpp"
#include "domain/submitter_id.hpp"
#include "ports/store/store_error.hpp"

namespace fencepost {

class Headers {
public:
    virtual ~Headers() = default;

    /// Known headers are left unchanged.
    [[nodiscard]] virtual Task<Status<StoreError>> record(ChainRef chain, std::vector<BlockRef> blocks) = 0;
    /// Every header with a height in [first, last], by height, then hash.
    [[nodiscard]] virtual Task<Result<std::vector<BlockRef>, StoreError>> between(ChainRef chain, BlockNumber first,
                                                                                  BlockNumber last) = 0;
    /// Deletes finalized headers below this height.
    [[nodiscard]] virtual Task<Status<StoreError>> prune_below(ChainRef chain, BlockNumber number) = 0;
};

}  // namespace fencepost
