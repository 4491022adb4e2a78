// A scripted reorg: its depth, and the fate of each removed transaction.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sim/ledger/sim_tx.hpp"

namespace fencepost::sim {

struct Reorg {
    enum class Fate {
        to_mempool,     // back into every endpoint's mempool, as real nodes do
        dropped,        // removed from every mempool
        in_new_branch,  // included in the first new block that can hold it
    };

    std::uint64_t depth = 1;
    /// Number of blocks that replace the removed ones; 0: one more than was removed. A follower that keeps the highest
    /// known block accepts a shorter branch only after it has grown.
    std::uint64_t length = 0;
    Fate fate = Fate::to_mempool;
    /// Exceptions to `fate`.
    std::map<TxHash, Fate> fates{};
    /// Included in the new branch before anything else, such as another transaction with an already used nonce.
    std::vector<SimTxPtr> instead{};
    /// Removes finalized blocks, which cannot happen on an honest chain.
    bool past_finality = false;

    [[nodiscard]] Fate fate_of(const TxHash& hash) const {
        const auto found = fates.find(hash);
        return found == fates.end() ? fate : found->second;
    }
};

struct ReorgResult {
    std::vector<SimTxPtr> to_mempool;
    std::vector<SimTxPtr> dropped;
};

}  // namespace fencepost::sim
