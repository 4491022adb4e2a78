// Keeps blocks and canonical chain in step.
#include "evm/heads/block_window.hpp"

#include <algorithm>
#include <iterator>

#include "base/assert.hpp"

namespace fencepost::evm {

std::vector<BlockRef> refs_of(std::span<const BlockPtr> blocks) {
    std::vector<BlockRef> refs;
    refs.reserve(blocks.size());
    std::ranges::transform(blocks, std::back_inserter(refs), [](const BlockPtr& block) { return block->ref; });
    return refs;
}

Result<HeadChange, AdoptError> BlockWindow::adopt(const Blocks& branch) {
    auto change = chain_.adopt(refs_of(branch));
    if (!change || change->added.empty()) return change;
    blocks_.erase(blocks_.end() - static_cast<std::ptrdiff_t>(change->removed.size()), blocks_.end());
    blocks_.insert(blocks_.end(), branch.end() - static_cast<std::ptrdiff_t>(change->added.size()), branch.end());
    return change;
}

void BlockWindow::replace(const Blocks& blocks) {
    *this = {};
    const auto change = adopt(blocks);
    FP_ASSERT(change.has_value(), "an empty window accepts any branch");
}

void BlockWindow::prune_below(BlockNumber number) {
    chain_.prune_below(number);
    while (!blocks_.empty() && blocks_.front()->ref.number < chain_.oldest()->number)
        blocks_.pop_front();
}

Blocks BlockWindow::from(BlockNumber number) const {
    const auto first = std::ranges::find_if(blocks_, [number](const auto& b) { return b->ref.number >= number; });
    return {first, blocks_.end()};
}

}  // namespace fencepost::evm
