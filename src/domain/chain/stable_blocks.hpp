// Emits the blocks that have reached a given depth, in order (the ConfirmedBlockListener of the requirements). A block
// is emitted once and never revoked; if a reorg removes an emitted block, the stream stops with an error.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "domain/chain/block.hpp"
#include "domain/chain/canonical_chain.hpp"

namespace fencepost {

/// Why the stream stopped.
struct StableBlocksError {
    enum class Kind {
        reorg_too_deep,  // an emitted block was removed
        skipped,         // blocks after the last emitted one were never reported
    };
    Kind kind{};
    /// The last emitted block.
    BlockRef last;

    friend bool operator==(const StableBlocksError&, const StableBlocksError&) = default;
};

class StableBlocks {
public:
    /// A block is emitted when `depth` blocks are above it.
    explicit StableBlocks(std::uint64_t depth) : depth_(depth) {}

    /// The blocks that this change made stable, strictly ascending. A change without a common ancestor replaces the
    /// known blocks. After an error every call fails; the consumer must create a new instance to continue.
    [[nodiscard]] Result<std::vector<BlockRef>, StableBlocksError> apply(const HeadChange& change);

    /// The number of blocks that have not reached the depth yet.
    [[nodiscard]] std::size_t waiting() const { return pending_.size(); }

private:
    void trim(const BlockRef& common_ancestor);
    [[nodiscard]] Status<StableBlocksError> replace(const std::vector<BlockRef>& blocks);
    std::unexpected<StableBlocksError> stop(StableBlocksError::Kind kind);

    std::uint64_t depth_;
    std::deque<BlockRef> pending_;
    std::optional<BlockRef> last_;
    std::optional<StableBlocksError> stopped_;
};

}  // namespace fencepost
