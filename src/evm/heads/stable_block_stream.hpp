// Stable blocks as a stream over a stream of heads.
#pragma once

#include <deque>
#include <memory>

#include "domain/chain/stable_blocks.hpp"
#include "ports/chain.hpp"

namespace fencepost::evm {

class StableBlockStream {
public:
    StableBlockStream(std::unique_ptr<HeadStream> heads, std::uint64_t depth);

    /// The next block that is deep enough. An error is told again by every later call. Loses nothing when it is
    /// cancelled while it waits.
    [[nodiscard]] Task<Result<BlockRef, StableBlocksError>> next();

private:
    std::unique_ptr<HeadStream> heads_;
    StableBlocks blocks_;
    std::deque<BlockRef> ready_;
};

}  // namespace fencepost::evm
