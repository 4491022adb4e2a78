#include "api/block_list.hpp"

#include <algorithm>
#include <unordered_map>

namespace fencepost::api {
namespace {

struct Branch {
    std::size_t length = 0;
    const BlockRef* first = nullptr;
};

}  // namespace

std::vector<BlockRef> longest_branch(const BlockHash& base, const std::vector<BlockRef>& seen, std::size_t most) {
    std::vector<const BlockRef*> from_the_top;
    from_the_top.reserve(seen.size());
    for (const auto& block : seen)
        from_the_top.push_back(&block);
    std::ranges::sort(from_the_top, [](const BlockRef* a, const BlockRef* b) {
        return a->number == b->number ? a < b : a->number > b->number;
    });

    // For each block the longest branch that stands on it, from the highest block down.
    std::unordered_map<BlockHash, Branch> above;
    for (const auto* const block : from_the_top) {
        const std::size_t length = 1 + (above.contains(block->hash) ? above.at(block->hash).length : 0);
        auto& best = above[block->parent];
        if (length > best.length) best = {length, block};
    }
    std::vector<BlockRef> blocks;
    for (auto at = above.find(base); at != above.end() && blocks.size() < most; at = above.find(blocks.back().hash))
        blocks.push_back(*at->second.first);
    return blocks;
}

}  // namespace fencepost::api
