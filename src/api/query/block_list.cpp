#include "api/query/block_list.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace fencepost::api {
namespace {

struct Branch {
    std::size_t length = 0;
    const BlockRef* first = nullptr;
};

}  // namespace

std::vector<BlockRef> longest_branch(const BlockHash& base, const std::vector<BlockRef>& seen, std::size_t most) {
    std::vector<const BlockRef*> by_height;
    by_height.reserve(seen.size());
    for (const auto& block : seen)
        by_height.push_back(&block);
    std::ranges::sort(by_height, [](const BlockRef* a, const BlockRef* b) {
        return a->number == b->number ? a < b : a->number > b->number;
    });

    // The longest branch on top of each block, computed from the highest block down.
    std::unordered_map<BlockHash, Branch> above;
    for (const auto* const block : by_height) {
        const std::size_t length = 1 + (above.contains(block->hash) ? above.at(block->hash).length : 0);
        auto& best = above[block->parent];
        if (length > best.length) best = {length, block};
    }
    std::vector<BlockRef> blocks;
    for (auto at = above.find(base); at != above.end() && blocks.size() < most; at = above.find(blocks.back().hash))
        blocks.push_back(*at->second.first);
    return blocks;
}

BlocksSince blocks_since(const std::optional<BlockHash>& seen, std::vector<BlockRef> list) {
    if (!seen) return {.blocks = std::move(list)};
    const auto last = std::ranges::find(list, *seen, &BlockRef::hash);
    if (last == list.end()) return {.blocks = std::move(list), .is_new_fork = true};
    list.erase(list.begin(), std::next(last));
    return {.blocks = std::move(list)};
}

}  // namespace fencepost::api
