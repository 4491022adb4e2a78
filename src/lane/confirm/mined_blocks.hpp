// The blocks that hold transactions of a lane. A new head touches only the blocks that it changes, so that neither
// transactions that wait for depth nor those that wait for finality cost anything while they wait. A settled
// transaction is nothing but a part of its block's range of nonces; what else is to be known of it is in the store.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "domain/chain/block.hpp"
#include "domain/chain/canonical_chain.hpp"
#include "lane/loop/retry.hpp"

namespace fencepost::lane {

struct BlockKey {
    BlockNumber number;
    BlockHash hash;

    friend bool operator==(const BlockKey&, const BlockKey&) = default;
    friend auto operator<=>(const BlockKey&, const BlockKey&) = default;
};

/// Another block stands at that height: the only evidence that takes anything back (law 5).
[[nodiscard]] inline bool is_orphaned(const CanonicalChain& view, const BlockKey& block) {
    const auto* there = view.at(block.number);
    return there != nullptr && there->hash != block.hash;
}
[[nodiscard]] inline bool is_included(const CanonicalChain& view, const BlockKey& block) {
    const auto* there = view.at(block.number);
    return there != nullptr && there->hash == block.hash;
}

/// With transactions that have no verdict yet.
struct ConfirmingBlock {
    /// Also of some that have left again.
    std::vector<Nonce> nonces{};
    std::size_t count = 0;
    /// Where it lies below the view: that it is on the chain, and the blocks above it.
    std::optional<std::vector<BlockRef>> deep_confirmations{};
    Retry deep{};
    /// It lies below the view, and is not on the chain.
    bool orphaned = false;
};

/// With transactions that have their verdict, and are not finalized.
struct SettledBlockRange {
    Nonce first;
    Nonce last;
    /// Where it lies below the view: whether it is on the chain is being asked.
    Retry deep{};
    bool stands = false;
    bool orphaned = false;
    /// A reorg removed it: its transactions are read from the store, to be sent again.
    Retry read_back{};
    bool removed = false;
};

struct MinedBlocks {
    std::map<BlockKey, ConfirmingBlock> confirming;
    std::map<BlockKey, SettledBlockRange> settled;
    /// Of the settled ones. Blocks of one branch hold nonces in their order, but one that a reorg removed may lie above
    /// one of the new branch that holds higher nonces.
    std::multiset<Nonce> firsts;
    /// How many of the settled ones a reorg removed.
    std::size_t removed = 0;

    void add(const BlockKey& block, Nonce nonce) {
        auto& entry = confirming[block];
        entry.nonces.push_back(nonce);
        ++entry.count;
    }
    void remove(const BlockKey& block) {
        const auto entry = confirming.find(block);
        if (entry != confirming.end() && --entry->second.count == 0) confirming.erase(entry);
    }
    void add_settled(const BlockKey& block, Nonce first, Nonce last) {
        const auto [entry, is_new] = settled.try_emplace(block, SettledBlockRange{.first = first, .last = last});
        auto& range = entry->second;
        if (!is_new) firsts.erase(firsts.find(range.first));
        range.first = std::min(range.first, first);
        range.last = std::max(range.last, last);
        firsts.insert(range.first);
    }
    using Settled = std::map<BlockKey, SettledBlockRange>::iterator;
    void forget_settled(Settled block) {
        firsts.erase(firsts.find(block->second.first));
        settled.erase(block);
    }
    [[nodiscard]] bool is_reading_back() const { return removed > 0; }
    [[nodiscard]] std::optional<Nonce> lowest_settled() const {
        return firsts.empty() ? std::nullopt : std::optional(*firsts.begin());
    }
    [[nodiscard]] ConfirmingBlock* find(const BlockKey& block) {
        const auto entry = confirming.find(block);
        return entry == confirming.end() ? nullptr : &entry->second;
    }
    [[nodiscard]] const ConfirmingBlock* find(const BlockKey& block) const {
        const auto entry = confirming.find(block);
        return entry == confirming.end() ? nullptr : &entry->second;
    }
};

}  // namespace fencepost::lane
