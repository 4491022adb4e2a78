// Models geth's tracker of local transactions (core/txpool/locals): it adds those that the pool lacks again, 10 s after
// the start and then once a minute.
#pragma once

#include <map>
#include <unordered_set>
#include <vector>

#include "sim/mempool/sim_mempool.hpp"

namespace fencepost::sim {

class LocalTracker {
public:
    /// Tracks each hash once, even when another transaction replaced it at its nonce.
    void track(const SimTxPtr& transaction);
    /// The transactions to add again, by sender and nonce. Forgets those below the sender's current pending count.
    [[nodiscard]] std::vector<SimTxPtr> recheck(const SimMempool& pool, const SimState& state);
    [[nodiscard]] bool empty() const { return by_sender_.empty(); }

private:
    std::map<Address, std::map<Nonce, SimTxPtr>> by_sender_;
    std::unordered_set<TxHash> known_;
};

}  // namespace fencepost::sim
