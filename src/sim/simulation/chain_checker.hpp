// Looks at the chain after every block and every reorg: no intent is executed twice on the canonical history. It also
// remembers what became of each block, because what a lane may settle or roll back is judged by that.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/chain/sim_network.hpp"
#include "sim/simulation/verdict.hpp"
#include "sim/world.hpp"

namespace fencepost::sim {

/// The best that any head ever said of a block, and when a reorg took it out.
struct BlockFate {
    std::uint64_t depth = 0;
    bool was_safe = false;
    bool was_finalized = false;
    std::optional<Instant> removed_at{};
};

/// For so long a node may rightly hold what is no longer true: it was paused, or its endpoint lags.
inline constexpr Duration longest_delusion = std::chrono::minutes(2);

class ChainChecker {
public:
    ChainChecker(World& world, SimNetwork& network, Judge& judge);

    /// Who knows whose bytes these are: the chain itself does not.
    using OwnerOf = std::function<std::optional<TxId>(const TxHash&)>;
    void ask_owners(OwnerOf owner_of) { owner_of_ = std::move(owner_of); }

    /// After each change of the chain.
    void look();

    [[nodiscard]] const SimLedger& ledger() const { return ledger_; }
    [[nodiscard]] BlockFate fate_of(const BlockHash& hash) const;
    /// Whether an endpoint could be seen, not long ago, to have another block than this one at its height. Whoever
    /// sees that may doubt the block; the null of an endpoint that lags is no reason (law 5).
    [[nodiscard]] bool is_disputed(BlockNumber height, const BlockHash& block) const;

private:
    void see_endpoints();
    void remove(const SimBlock& block);
    void add(const SimBlock& block);
    void remember_depths();
    void blame_second(const SimTx& transaction, const TxHash& first);

    World& world_;
    SimNetwork& network_;
    const SimLedger& ledger_;
    Judge& judge_;
    const SimBlock* head_;
    std::unordered_map<BlockHash, BlockFate> fates_;
    /// When each block was last seen in some endpoint's view, by height.
    std::map<BlockNumber, std::map<BlockHash, Instant>> seen_;
    /// What executed an intent. Callers never ask for the same value twice, so the value names the intent whatever
    /// bytes carry it.
    std::map<std::pair<Address, Uint256>, std::vector<TxHash>> executed_;
    OwnerOf owner_of_ = [](const TxHash&) { return std::nullopt; };
};

}  // namespace fencepost::sim
