// Indexes the blocks that contain transactions of a lane. A new head touches only the blocks that it changes, so
// transactions that wait for depth or finality cost nothing. A settled transaction is only part of its block's nonce
// range; everything else about it is in the store.
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

/// Another block is at that height: the only evidence that rolls back (law 5).
[[nodiscard]] inline bool is_orphaned(const CanonicalChain& view, const BlockKey& block) {
    const auto* there = view.at(block.number);
    return there != nullptr && there->hash != block.hash;
}
[[nodiscard]] inline bool is_included(const CanonicalChain& view, const BlockKey& block) {
    const auto* there = view.at(block.number);
    return there != nullptr && there->hash == block.hash;
}

/// A block with transactions without a verdict.
struct ConfirmingBlock {
    /// May include nonces that have left again.
    std::vector<Nonce> nonces{};
    std::size_t count = 0;
    /// If it is below the view and on the chain: the blocks above it.
    std::optional<std::vector<BlockRef>> deep_confirmations{};
    Retry deep{};
    /// It is below the view, and not on the chain.
    bool orphaned = false;
};

/// A block with settled transactions that are not finalized.
struct SettledBlockRange {
    Nonce first;
    Nonce last;
    /// If it is below the view: the query whether it is on the chain.
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
    /// The first nonces of the settled blocks. Blocks of one branch contain nonces in ascending order, but a removed
    /// block may be above a block of the new branch that contains higher nonces.
    std::multiset<Nonce> firsts;
    /// The number of settled blocks that a reorg removed.
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
