#include "domain/chain/confirmation_list.hpp"

#include <algorithm>

namespace fencepost {

std::vector<BlockRef> confirmations_of(BlockNumber number, const CanonicalChain& chain, std::uint64_t required) {
    std::vector<BlockRef> blocks;
    const auto* head = chain.head();
    if (head == nullptr || head->number <= number) return blocks;
    blocks.reserve(std::min(required, head->number.above(number)));
    for (std::uint64_t i = 1; i <= required; ++i) {
        const auto* block = chain.at(number.plus(i));
        if (block == nullptr) break;
        blocks.push_back(*block);
    }
    return blocks;
}

ConfirmationList::ConfirmationList(BlockNumber number, BlockHash hash, std::uint64_t required)
    : number_(number),
      hash_(hash),
      required_(required) {}

BlockStatus ConfirmationList::block_status(const CanonicalChain& chain) const {
    const auto* block = chain.at(number_);
    if (block == nullptr) return BlockStatus::unseen;
    return block->hash == hash_ ? BlockStatus::included : BlockStatus::orphaned;
}

std::optional<ConfirmationUpdate> ConfirmationList::follow(const CanonicalChain& chain) {
    if (block_status(chain) != BlockStatus::included) return std::nullopt;
    auto now = confirmations_of(number_, chain, required_);
    if (now == blocks_) return std::nullopt;

    const bool prefix_kept = now.size() > blocks_.size() && std::equal(blocks_.begin(), blocks_.end(), now.begin());
    const auto first_told = prefix_kept ? static_cast<std::ptrdiff_t>(blocks_.size()) : 0;
    blocks_ = std::move(now);
    return ConfirmationUpdate{.new_fork = !prefix_kept, .blocks = {blocks_.begin() + first_told, blocks_.end()}};
}

}  // namespace fencepost
