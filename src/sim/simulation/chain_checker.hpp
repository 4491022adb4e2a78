// Checks the chain after every block and every reorg: no intent is executed twice on the canonical chain. It also
// records the fate of each block, by which the other checkers decide whether a lane may settle or roll back.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/chain/sim_network.hpp"
#include "sim/simulation/violation.hpp"
#include "sim/world.hpp"

namespace fencepost::sim {

/// The greatest depth and finality a block ever reached, and when a reorg removed it.
struct BlockFate {
    std::uint64_t depth = 0;
    bool was_safe = false;
    bool was_finalized = false;
    std::optional<Instant> removed_at{};
};

/// How long a node may legitimately act on outdated information: it was paused, or its endpoint lags.
inline constexpr Duration max_staleness = std::chrono::minutes(2);

class ChainChecker {
public:
    ChainChecker(World& world, SimNetwork& network, ViolationRecorder& violations);

    /// Maps a hash to the transaction it belongs to, which the chain does not know.
    using OwnerOf = std::function<std::optional<TxId>(const TxHash&)>;
    void set_owner_lookup(OwnerOf owner_of) { owner_of_ = std::move(owner_of); }

    /// To be called after each change of the chain.
    void update();

    [[nodiscard]] const SimLedger& ledger() const { return ledger_; }
    [[nodiscard]] BlockFate fate_of(const BlockHash& hash) const;
    /// Whether an endpoint recently had a different block at this height. Only then may a node doubt the block: a null
    /// answer from a lagging endpoint is no evidence (law 5).
    [[nodiscard]] bool is_disputed(BlockNumber height, const BlockHash& block) const;

private:
    void see_endpoints();
    void remove(const SimBlock& block);
    void add(const SimBlock& block);
    void remember_depths();
    void report_double_execution(const SimTx& transaction, const TxHash& first);

    World& world_;
    SimNetwork& network_;
    const SimLedger& ledger_;
    ViolationRecorder& violations_;
    const SimBlock* head_;
    std::unordered_map<BlockHash, BlockFate> fates_;
    /// When each block was last in some endpoint's view, by height.
    std::map<BlockNumber, std::map<BlockHash, Instant>> seen_;
    /// The hashes that executed an intent. Every intent has a distinct value, so sender and value identify it whatever
    /// bytes carry it.
    std::map<std::pair<Address, Uint256>, std::vector<TxHash>> executed_;
    OwnerOf owner_of_ = [](const TxHash&) { return std::nullopt; };
};

}  // namespace fencepost::sim
