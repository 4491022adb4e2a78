#include "sim/mempool/local_tracker.hpp"

namespace fencepost::sim {

void LocalTracker::track(const SimTxPtr& transaction) {
    if (known_.insert(transaction->hash).second) by_sender_[transaction->sender][transaction->nonce] = transaction;
}

std::vector<SimTxPtr> LocalTracker::recheck(const SimMempool& pool, const SimState& state) {
    std::vector<SimTxPtr> missing;
    for (auto sender = by_sender_.begin(); sender != by_sender_.end();) {
        auto& waiting = sender->second;
        const Nonce next = pool.next_nonce(sender->first, state);
        while (!waiting.empty() && waiting.begin()->first < next) {
            known_.erase(waiting.begin()->second->hash);
            waiting.erase(waiting.begin());
        }
        for (const auto& [nonce, transaction] : waiting) {
            if (!pool.find(transaction->hash)) missing.push_back(transaction);
        }
        sender = waiting.empty() ? by_sender_.erase(sender) : std::next(sender);
    }
    return missing;
}

}  // namespace fencepost::sim
