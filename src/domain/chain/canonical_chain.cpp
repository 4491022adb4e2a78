#include "domain/chain/canonical_chain.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace fencepost {
namespace {

bool links(const BlockRef& parent, const BlockRef& child) {
    return child.parent == parent.hash && child.number.value() == parent.number.value() + 1;
}

}  // namespace

const BlockRef* CanonicalChain::at(BlockNumber number) const {
    if (empty() || number < blocks_.front().number || number > blocks_.back().number) return nullptr;
    return &blocks_[number.above(blocks_.front().number)];
}

bool CanonicalChain::contains(const BlockRef& block) const {
    const auto* known = at(block.number);
    return known != nullptr && known->hash == block.hash;
}

Result<HeadChange, AdoptError> CanonicalChain::adopt(std::span<const BlockRef> branch) {
    for (std::size_t i = 1; i < branch.size(); ++i) {
        FP_ASSERT(links(branch[i - 1], branch[i]), "block {} of the branch does not stand on the one before it", i);
    }
    const auto first_new = std::ranges::find_if(branch, [this](const BlockRef& b) { return !contains(b); });
    if (first_new == branch.end()) return HeadChange{};

    HeadChange change;
    change.added.assign(first_new, branch.end());
    if (!empty()) {
        const auto& lowest = change.added.front();
        if (lowest.number <= oldest()->number) return err(AdoptError::below_the_window);
        const auto* parent = at(BlockNumber(lowest.number.value() - 1));
        if (parent == nullptr || !links(*parent, lowest)) return err(AdoptError::unlinked);
        change.common_ancestor = *parent;
        const auto keep = static_cast<std::ptrdiff_t>(parent->number.above(oldest()->number)) + 1;
        change.removed.assign(blocks_.begin() + keep, blocks_.end());
        blocks_.erase(blocks_.begin() + keep, blocks_.end());
    }
    blocks_.insert(blocks_.end(), change.added.begin(), change.added.end());
    return change;
}

void CanonicalChain::prune_below(BlockNumber number) {
    while (blocks_.size() > 1 && blocks_.front().number < number)
        blocks_.pop_front();
}

}  // namespace fencepost
