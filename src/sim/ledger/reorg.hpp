// A reorg to order: how deep, and what becomes of each transaction that it takes out of the chain.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sim/ledger/sim_tx.hpp"

namespace fencepost::sim {

struct Reorg {
    enum class Fate {
        to_mempool,     // waits again in every endpoint's mempool, as nodes do it
        dropped,        // no mempool has it any more
        in_new_branch,  // is in the first new block that can hold it
    };

    std::uint64_t depth = 1;
    /// How many blocks stand in place of the removed ones; 0 for one more than was removed. Followers that hold on to
    /// the highest block they know see a shorter branch only when it has grown.
    std::uint64_t length = 0;
    Fate fate = Fate::to_mempool;
    /// For those that fare otherwise.
    std::map<TxHash, Fate> fates{};
    /// Put into the new branch before anything else: another transaction for a nonce that was used, say.
    std::vector<SimTxPtr> instead{};
    /// What cannot happen on an honest chain: blocks that were finalized are removed.
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
