// What geth's own memory of the transactions that its callers sent does (core/txpool/locals): it hands those that the
// pool lacks to it again, 10 s after the start and once a minute from then on.
#pragma once

#include <map>
#include <unordered_set>
#include <vector>

#include "sim/mempool/sim_mempool.hpp"

namespace fencepost::sim {

class LocalTracker {
public:
    /// Once each, also when it was overtaken by another at its nonce.
    void track(const SimTxPtr& transaction);
    /// Those to add again, by sender and nonce. Forgets what is below the sender's pending count at that moment.
    [[nodiscard]] std::vector<SimTxPtr> recheck(const SimMempool& pool, const SimState& state);
    [[nodiscard]] bool empty() const { return by_sender_.empty(); }

private:
    std::map<Address, std::map<Nonce, SimTxPtr>> by_sender_;
    std::unordered_set<TxHash> known_;
};

}  // namespace fencepost::sim
