// Sums up recent spending from the rows of attempts and claims: both stores read from the highest nonce down and stop
// once everything is older than the time window.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "ports/store/lane_store.hpp"

namespace fencepost::store {

/// Nonces ascend with time. The exception is a released nonce of a shared key, which is allocated later while higher
/// ones wait for it: never this many. This many consecutive old nonces end the scan.
inline constexpr std::size_t lookback_nonces = 1'000;

class RecentAllocations {
public:
    RecentAllocations(UnixTime now, Duration window) : now_(now), window_(window) {}

    /// One attempt of a transaction: the first was made when the nonce was allocated, the most expensive counts.
    void add(TxId tx, UnixTime made_at, const Wei& value, Gas gas_limit, const Fees& fees) {
        const auto spend = max_cost(fees, gas_limit, Wei{});
        auto& found = found_.try_emplace(tx, RecentAllocation{.tx = tx, .ago = now_ - made_at}).first->second;
        found.ago = std::max(found.ago, Duration(now_ - made_at));
        found.spending.value = value;
        found.spending.gas = std::max(found.spending.gas, spend.value_or(Wei(Uint256::max())));
    }

    /// Whether all added entries are older than the window.
    [[nodiscard]] bool are_all_too_old() const {
        return std::ranges::none_of(found_, [&](const auto& entry) { return entry.second.ago < window_; });
    }

    /// The entries within the window.
    [[nodiscard]] std::vector<RecentAllocation> take() const {
        std::vector<RecentAllocation> recent;
        for (const auto& [tx, allocation] : found_) {
            if (allocation.ago < window_) recent.push_back(allocation);
        }
        return recent;
    }

private:
    UnixTime now_;
    Duration window_;
    std::map<TxId, RecentAllocation> found_;
};

}  // namespace fencepost::store
