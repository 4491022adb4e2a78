// The headers that the nodes of a cluster have seen, one shared tree per chain. Insert-only: what is canonical is each
// follower's own view, so two nodes on two sides of a fork do not write over each other.
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

    /// Known ones are left as they are.
    [[nodiscard]] virtual Task<Status<StoreError>> record(ChainRef chain, std::vector<BlockRef> blocks) = 0;
    /// Every header of a height in [first, last], by height, then hash.
    [[nodiscard]] virtual Task<Result<std::vector<BlockRef>, StoreError>> between(ChainRef chain, BlockNumber first,
                                                                                  BlockNumber last) = 0;
    /// Forgets what lies below, because it is finalized.
    [[nodiscard]] virtual Task<Status<StoreError>> prune_below(ChainRef chain, BlockNumber number) = 0;
};

}  // namespace fencepost
