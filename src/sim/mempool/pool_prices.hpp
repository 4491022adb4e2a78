// Which transaction a full pool evicts first, by geth's rules. Four fifths of the pool are ranked by the tip in the
// next block, one fifth by the maximum fee. The worst of the first part moves to the second, and the worst of the
// second is evicted. On equal price the higher nonce is evicted first, whichever account it belongs to.
#pragma once

#include <cstddef>
#include <optional>
#include <queue>
#include <unordered_map>
#include <vector>

#include "sim/ledger/sim_tx.hpp"

namespace fencepost::sim {

using PoolContents = std::unordered_map<TxHash, SimTxPtr>;

/// The pool slots a transaction takes: one for each started 32 KiB.
[[nodiscard]] std::size_t slots_of(const SimTx& transaction);

/// `all` is the content of the pool. Entries that have left it are skipped when they come up, as in geth; until then
/// they count in the balance of the two parts.
class PoolPrices {
public:
    void put(const SimTxPtr& transaction) { urgent_.push(priced(transaction)); }
    /// This many have left the pool other than through discard().
    void removed(std::size_t count, const PoolContents& all);
    /// Whether it pays no more than the worst held transaction.
    [[nodiscard]] bool is_underpriced(const SimTxPtr& transaction, const PoolContents& all);
    /// The worst transactions that make room for this many slots. None, without effect, when all together do not
    /// suffice.
    [[nodiscard]] std::optional<std::vector<SimTxPtr>> discard(std::size_t slots, const PoolContents& all);
    void set_base_fee(const Uint256& next, const PoolContents& all);
    void clear();

private:
    struct Priced {
        /// The tip in the next block; none when the base fee is unknown or the transaction does not pay it.
        std::optional<Uint256> tip;
        SimTxPtr transaction;
    };
    struct EvictedLater {
        bool operator()(const Priced& a, const Priced& b) const;
    };
    using Heap = std::priority_queue<Priced, std::vector<Priced>, EvictedLater>;

    [[nodiscard]] Priced priced(const SimTxPtr& transaction) const;
    [[nodiscard]] bool is_not_above_worst(const Priced& offered, Heap& held, const PoolContents& all);
    void rebuild(const PoolContents& all);
    [[nodiscard]] SimTxPtr pop_worst(Heap& held, const PoolContents& all);

    Heap urgent_;
    Heap floating_;
    /// The next block's base fee; none before the first is known: then only the maximum fee counts.
    std::optional<Uint256> base_fee_;
    std::ptrdiff_t stale_ = 0;
};

}  // namespace fencepost::sim
