#include "lane/prepare/spending_window.hpp"

#include <algorithm>

namespace fencepost::lane {
namespace {

Wei add_up(const Wei& a, const Wei& b) {
    return Wei(Uint256::checked_add(a.value(), b.value()).value_or(Uint256::max()));
}

}  // namespace

bool limits_window(const std::optional<SubmitterPolicy>& policy) {
    return policy && (policy->limits.value_per_window || policy->limits.gas_spend_per_window);
}

void SpendingWindow::load(const std::vector<RecentAllocation>& recent, Instant now) {
    for (const auto& allocation : recent)
        spent_.insert_or_assign(allocation.tx, Entry{now - allocation.ago, allocation.spending});
}

void SpendingWindow::add(TxId tx, const Spending& spending, Instant now) {
    auto& entry = spent_.try_emplace(tx, Entry{now, spending}).first->second;
    entry.spending.gas = std::max(entry.spending.gas, spending.gas);
}

Spending SpendingWindow::sum(Instant now, Duration window) {
    std::erase_if(spent_, [&](const auto& entry) { return entry.second.at + window <= now; });
    Spending total;
    for (const auto& [tx, entry] : spent_)
        total = total + entry.spending;
    return total;
}

Spending operator+(const Spending& a, const Spending& b) {
    return {.value = add_up(a.value, b.value), .gas = add_up(a.gas, b.gas)};
}

}  // namespace fencepost::lane
