// The blocks that are deep enough to be relied on, in order (the seeds' ConfirmedBlockListener). What came out is never
// taken back or told twice; if the chain does take it back, this stops and says so.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "domain/chain/block.hpp"
#include "domain/chain/canonical_chain.hpp"

namespace fencepost {

/// Why no more blocks come out.
struct StableBlocksError {
    enum class Kind {
        too_deep_a_reorg,  // a block that came out was removed
        skipped,           // the blocks after the last one that came out were never told
    };
    Kind kind{};
    /// The last block that came out.
    BlockRef last;

    friend bool operator==(const StableBlocksError&, const StableBlocksError&) = default;
};

class StableBlocks {
public:
    /// A block comes out when `depth` blocks stand above it.
    explicit StableBlocks(std::uint64_t depth) : depth_(depth) {}

    /// The blocks that this change made stable, strictly ascending. A change without a common ancestor replaces what
    /// was known. After an error there are only errors: whoever wants to go on starts anew, and knows it.
    [[nodiscard]] Result<std::vector<BlockRef>, StableBlocksError> apply(const HeadChange& change);

    /// Those that are not deep enough yet.
    [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }

private:
    void trim(const BlockRef& common_ancestor);
    [[nodiscard]] Status<StableBlocksError> replace(const std::vector<BlockRef>& blocks);
    std::unexpected<StableBlocksError> stop(StableBlocksError::Kind kind);

    std::uint64_t depth_;
    std::deque<BlockRef> waiting_;
    std::optional<BlockRef> last_;
    std::optional<StableBlocksError> stopped_;
};

}  // namespace fencepost
