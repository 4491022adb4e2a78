// Which transaction a full pool gives up first, by geth's rules: four fifths of it are held against what the next block
// pays, one fifth against the most that each would ever pay; the worst of the first part is handed down to the second,
// and the worst of the second goes. On equal price the higher nonce goes first, whoever's it is.
#pragma once

#include <cstddef>
#include <optional>
#include <queue>
#include <unordered_map>
#include <vector>

#include "sim/ledger/sim_tx.hpp"

namespace fencepost::sim {

using PoolContents = std::unordered_map<TxHash, SimTxPtr>;

/// How much of a pool it takes: a slot for each 32 KiB that it has begun.
[[nodiscard]] std::size_t slots_of(const SimTx& transaction);

/// `all` is what the pool holds. What is not in it any more is skipped when its turn comes, as geth does it: until then
/// it counts when the two parts are balanced.
class PoolPrices {
public:
    void put(const SimTxPtr& transaction) { urgent_.push(priced(transaction)); }
    /// So many have left the pool in another way than by discard().
    void removed(std::size_t count, const PoolContents& all);
    /// Pays no more than the worst that is held.
    [[nodiscard]] bool is_underpriced(const SimTxPtr& transaction, const PoolContents& all);
    /// The worst that make room for so many slots. Nothing, and nothing happens, when all together do not.
    [[nodiscard]] std::optional<std::vector<SimTxPtr>> discard(std::size_t slots, const PoolContents& all);
    void set_base_fee(const Uint256& next, const PoolContents& all);
    void clear();

private:
    struct Priced {
        /// What the next block's miner gets; none when it is not known, or the transaction does not pay the base fee.
        std::optional<Uint256> tip;
        SimTxPtr transaction;
    };
    struct GoesLater {
        bool operator()(const Priced& a, const Priced& b) const;
    };
    using Heap = std::priority_queue<Priced, std::vector<Priced>, GoesLater>;

    [[nodiscard]] Priced priced(const SimTxPtr& transaction) const;
    [[nodiscard]] bool pays_no_more_than_worst(const Priced& offered, Heap& held, const PoolContents& all);
    void rebuild(const PoolContents& all);
    [[nodiscard]] SimTxPtr take_worst(Heap& held, const PoolContents& all);

    Heap urgent_;
    Heap floating_;
    /// Of the next block; none before the first is known: then the highest fee alone counts.
    std::optional<Uint256> base_fee_;
    std::ptrdiff_t stale_ = 0;
};

}  // namespace fencepost::sim
