// Looks at the chain after every block and every reorg: no intent is executed twice on the canonical history. It also
// remembers what became of each block, because what a lane may settle or roll back is judged by that.
#pragma once

#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "sim/chain/sim_ledger.hpp"
#include "sim/simulation/verdict.hpp"
#include "sim/world.hpp"

namespace fencepost::sim {

/// The best that any head ever said of a block.
struct BlockFate {
    std::uint64_t depth = 0;
    bool was_safe = false;
    bool was_finalized = false;
};

class ChainChecker {
public:
    ChainChecker(World& world, const SimLedger& ledger, Judge& judge);

    /// After each change of the chain.
    void look();

    [[nodiscard]] const SimLedger& ledger() const { return ledger_; }
    [[nodiscard]] BlockFate fate_of(const BlockHash& hash) const;
    /// Whether there was ever more than one block of this height: whoever sees the other one may doubt the first.
    [[nodiscard]] bool was_disputed(BlockNumber height) const { return disputed_.contains(height); }

private:
    void remove(const SimBlock& block);
    void add(const SimBlock& block);
    void remember_depths();

    World& world_;
    const SimLedger& ledger_;
    Judge& judge_;
    const SimBlock* head_;
    std::unordered_map<BlockHash, BlockFate> fates_;
    std::set<BlockNumber> disputed_;
    /// Callers never ask for the same value twice, so the value names the intent whatever bytes carry it.
    std::map<std::pair<Address, Uint256>, int> executed_;
};

}  // namespace fencepost::sim
