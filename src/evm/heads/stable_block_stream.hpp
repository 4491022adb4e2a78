// AsyncSemaphore a stream of heads into a stream of blocks that are deep enough to be stable.
#pragma once

#include <deque>
#include <memory>

#include "domain/chain/stable_blocks.hpp"
#include "ports/chain.hpp"

namespace fencepost::evm {

class StableBlockStream {
public:
    StableBlockStream(std::unique_ptr<HeadStream> heads, std::uint64_t depth);

    /// The next block that is deep enough. After an error every later call returns the same error. Loses nothing when
    /// cancelled while it waits.
    [[nodiscard]] Task<Result<BlockRef, StableBlocksError>> next();

private:
    std::unique_ptr<HeadStream> heads_;
    StableBlocks blocks_;
    std::deque<BlockRef> ready_;
};

}  // namespace fencepost::evm
