#include "domain/chain/stable_blocks.hpp"

#include <algorithm>

namespace fencepost {

Result<std::vector<BlockRef>, StableBlocksError> StableBlocks::apply(const HeadChange& change) {
    if (stopped_) return err(*stopped_);
    if (change.common_ancestor) {
        if (last_ && change.common_ancestor->number < last_->number && change.is_reorg()) {
            return stop(StableBlocksError::Kind::reorg_too_deep);
        }
        if (change.is_reorg()) trim(*change.common_ancestor);
        pending_.insert(pending_.end(), change.added.begin(), change.added.end());
    } else if (!change.added.empty()) {
        if (const auto replaced = replace(change.added); !replaced) return err(replaced.error());
    }

    std::vector<BlockRef> stable;
    while (pending_.size() > depth_) {
        stable.push_back(pending_.front());
        pending_.pop_front();
    }
    if (!stable.empty()) last_ = stable.back();
    return stable;
}

void StableBlocks::trim(const BlockRef& common_ancestor) {
    while (!pending_.empty() && pending_.back().number > common_ancestor.number)
        pending_.pop_back();
}

// Continues above the last emitted block, if that block is known to be on the new chain.
Status<StableBlocksError> StableBlocks::replace(const std::vector<BlockRef>& blocks) {
    auto first = blocks.begin();
    if (last_) {
        first = std::ranges::find_if(blocks, [this](const BlockRef& block) { return block.number > last_->number; });
        const bool holds_last = first != blocks.begin() && *(first - 1) == *last_;
        const bool follows_last = first != blocks.end() && first->parent == last_->hash;
        const bool follows_by_number = first != blocks.end() && first->number == last_->number.next();
        if (!holds_last && !follows_last) {
            return stop(first == blocks.begin() && !follows_by_number ? StableBlocksError::Kind::skipped
                                                                      : StableBlocksError::Kind::reorg_too_deep);
        }
    }
    pending_.assign(first, blocks.end());
    return {};
}

std::unexpected<StableBlocksError> StableBlocks::stop(StableBlocksError::Kind kind) {
    stopped_ = StableBlocksError{kind, *last_};
    return err(*stopped_);
}

}  // namespace fencepost
