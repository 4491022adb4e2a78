#include "sim/mempool/pool_prices.hpp"

#include <algorithm>
#include <compare>
#include <utility>

namespace fencepost::sim {
namespace {

constexpr std::size_t slot_bytes = std::size_t{32} * 1'024;
constexpr std::size_t urgent_share = 4;  // relative to one floating

std::strong_ordering compare_fees(const SimTx& a, const SimTx& b) {
    if (const auto order = max_fee(a.fees) <=> max_fee(b.fees); order != 0) return order;
    return max_priority_fee(a.fees) <=> max_priority_fee(b.fees);
}

}  // namespace

std::size_t slots_of(const SimTx& transaction) {
    return std::max<std::size_t>(1, (transaction.raw.size() + slot_bytes - 1) / slot_bytes);
}

// Ties are broken by hash; geth's order here depends on its heap.
bool PoolPrices::EvictedLater::operator()(const Priced& a, const Priced& b) const {
    if (a.tip != b.tip) return a.tip > b.tip;
    const auto& left = *a.transaction;
    const auto& right = *b.transaction;
    if (const auto order = compare_fees(left, right); order != 0) return order > 0;
    if (left.nonce != right.nonce) return left.nonce < right.nonce;
    return right.hash < left.hash;
}

PoolPrices::Priced PoolPrices::priced(const SimTxPtr& transaction) const {
    return {base_fee_ ? transaction->tip_at(*base_fee_) : std::nullopt, transaction};
}

void PoolPrices::removed(std::size_t count, const PoolContents& all) {
    stale_ += static_cast<std::ptrdiff_t>(count);
    if (stale_ > static_cast<std::ptrdiff_t>((urgent_.size() + floating_.size()) / 4)) rebuild(all);
}

bool PoolPrices::is_not_above_worst(const Priced& offered, Heap& held, const PoolContents& all) {
    while (!held.empty() && !all.contains(held.top().transaction->hash)) {
        held.pop();
        --stale_;
    }
    if (held.empty()) return false;
    const auto& worst = held.top();
    if (worst.tip != offered.tip) return worst.tip > offered.tip;
    return compare_fees(*worst.transaction, *offered.transaction) >= 0;
}

bool PoolPrices::is_underpriced(const SimTxPtr& transaction, const PoolContents& all) {
    const bool in_urgent = is_not_above_worst(priced(transaction), urgent_, all) || urgent_.empty();
    if (!in_urgent) return false;
    const bool in_floating = is_not_above_worst({std::nullopt, transaction}, floating_, all) || floating_.empty();
    return in_floating && !(urgent_.empty() && floating_.empty());
}

// Null when the worst entry has left the pool meanwhile.
SimTxPtr PoolPrices::pop_worst(Heap& held, const PoolContents& all) {
    auto transaction = held.top().transaction;
    held.pop();
    if (all.contains(transaction->hash)) return transaction;
    --stale_;
    return nullptr;
}

std::optional<std::vector<SimTxPtr>> PoolPrices::discard(std::size_t slots, const PoolContents& all) {
    std::vector<SimTxPtr> dropped;
    std::size_t freed = 0;
    while (freed < slots) {
        if (urgent_.size() > floating_.size() * urgent_share) {
            if (auto transaction = pop_worst(urgent_, all)) floating_.push({std::nullopt, std::move(transaction)});
        } else if (floating_.empty()) {
            for (const auto& transaction : dropped)
                put(transaction);
            return std::nullopt;
        } else if (auto transaction = pop_worst(floating_, all)) {
            freed += slots_of(*transaction);
            dropped.push_back(std::move(transaction));
        }
    }
    return dropped;
}

void PoolPrices::set_base_fee(const Uint256& next, const PoolContents& all) {
    base_fee_ = next;
    rebuild(all);
}

void PoolPrices::clear() {
    urgent_ = {};
    floating_ = {};
    stale_ = 0;
}

void PoolPrices::rebuild(const PoolContents& all) {
    clear();
    std::vector<Priced> everything;
    everything.reserve(all.size());
    for (const auto& [hash, transaction] : all)
        everything.push_back(priced(transaction));
    urgent_ = Heap(EvictedLater{}, std::move(everything));
    const std::size_t floating = urgent_.size() / (urgent_share + 1);
    for (std::size_t i = 0; i < floating; ++i) {
        floating_.push({std::nullopt, urgent_.top().transaction});
        urgent_.pop();
    }
}

}  // namespace fencepost::sim
