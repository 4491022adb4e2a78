// What was spent within a window of time, gathered from the rows of attempts and claims: both stores read them from the
// highest nonce down and stop when everything is older.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "ports/store/lane_store.hpp"

namespace fencepost::store {

/// Nonces ascend with time, except that a shared key's nonce that was given back is given again later, with others
/// above it that wait for it: never so many. So many nonces in a row that are too old are the end.
inline constexpr std::size_t nonces_looked_back = 1'000;

class RecentAllocations {
public:
    RecentAllocations(UnixTime now, Duration window) : now_(now), window_(window) {}

    /// One variant of a transaction: the first was made when it got its nonce, the dearest counts.
    void add(TxId tx, UnixTime made_at, const Wei& value, Gas gas_limit, const Fees& fees) {
        const auto spend = max_cost(fees, gas_limit, Wei{});
        auto& found = found_.try_emplace(tx, RecentAllocation{.tx = tx, .ago = now_ - made_at}).first->second;
        found.ago = std::max(found.ago, Duration(now_ - made_at));
        found.spending.value = value;
        found.spending.gas = std::max(found.spending.gas, spend.value_or(Wei(Uint256::max())));
    }

    /// Whether none of those that were added is young enough.
    [[nodiscard]] bool are_all_too_old() const {
        return std::ranges::none_of(found_, [&](const auto& entry) { return entry.second.ago < window_; });
    }

    /// Those that are young enough.
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
