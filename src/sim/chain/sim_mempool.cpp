#include "sim/chain/sim_mempool.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace fencepost::sim {
namespace {

// What geth compares when the pool is full.
bool is_cheaper(const SimTxPtr& a, const SimTxPtr& b) {
    if (max_priority_fee(a->fees) != max_priority_fee(b->fees)) {
        return max_priority_fee(a->fees) < max_priority_fee(b->fees);
    }
    if (max_fee(a->fees) != max_fee(b->fees)) return max_fee(a->fees) < max_fee(b->fees);
    // Of one sender's the last goes first, or those behind it would be left without a predecessor.
    return std::pair(b->nonce, b->hash) < std::pair(a->nonce, a->hash);
}

bool is_raised(const Wei& old, const Wei& offered, std::uint64_t percent) {
    const auto scaled = Uint256::checked_mul(old.value(), 100 + percent);
    return offered > old && scaled && offered.value() >= *scaled / Uint256(100);
}

bool is_refusal(const Verdict& verdict) { return verdict.outcome != SendOutcome::accepted; }

}  // namespace

Verdict SimMempool::add(const SimTxPtr& transaction, const SimState& state, Gas block_gas_limit) {
    if (by_hash_.contains(transaction->hash)) return {SendOutcome::already_known, "already known"};
    if (auto verdict = check_form(*transaction, block_gas_limit); is_refusal(verdict)) return verdict;
    if (auto verdict = check_account(*transaction, state); is_refusal(verdict)) return verdict;
    if (auto verdict = check_slot(*transaction, state); is_refusal(verdict)) return verdict;
    const auto replaced = at(transaction->sender, transaction->nonce);
    if (replaced) {
        remove(replaced);
    } else if (by_hash_.size() >= options_.capacity) {
        if (auto verdict = make_room(*transaction, state); is_refusal(verdict)) return verdict;
    }
    by_sender_[transaction->sender].insert_or_assign(transaction->nonce, transaction);
    by_hash_.emplace(transaction->hash, transaction);
    ++revision_;
    return {};
}

Verdict SimMempool::check_form(const SimTx& transaction, Gas block_gas_limit) const {
    const Wei fee = max_fee(transaction.fees);
    const Wei tip = max_priority_fee(transaction.fees);
    if (transaction.gas_limit > block_gas_limit) return {SendOutcome::over_block_gas_limit, "exceeds block gas limit"};
    if (tip > fee) return {SendOutcome::tip_above_cap, "max priority fee per gas higher than max fee per gas"};
    const Gas needed = intrinsic_gas(transaction.to, transaction.data);
    if (transaction.gas_limit < needed) {
        return {SendOutcome::intrinsic_gas,
                fmt::format("intrinsic gas too low: gas {}, minimum needed {}", transaction.gas_limit, needed)};
    }
    if (tip < options_.minimum_tip) {
        return {SendOutcome::underpriced,
                fmt::format("transaction underpriced: gas tip cap {}, minimum needed {}", tip, options_.minimum_tip)};
    }
    const auto most = Uint256::checked_mul(fee.value(), transaction.gas_limit.value()).value_or(Uint256::max());
    if (options_.fee_cap && most > *options_.fee_cap) {
        return {SendOutcome::node_fee_cap,
                fmt::format("tx fee ({} wei) exceeds the configured cap ({} wei)", most, *options_.fee_cap)};
    }
    return {};
}

Verdict SimMempool::check_account(const SimTx& transaction, const SimState& state) const {
    const auto account = state.account(transaction.sender);
    if (transaction.nonce < account.nonce) {
        return {SendOutcome::nonce_too_low,
                fmt::format("nonce too low: next nonce {}, tx nonce {}", account.nonce, transaction.nonce)};
    }
    Uint256 cost = transaction.max_cost();
    const auto slots = by_sender_.find(transaction.sender);
    if (slots != by_sender_.end()) {
        for (const auto& [nonce, waiting] : slots->second) {
            if (nonce == transaction.nonce || nonce < account.nonce) continue;
            cost = Uint256::checked_add(cost, waiting->max_cost()).value_or(Uint256::max());
        }
    }
    if (cost <= account.balance) return {};
    return {SendOutcome::insufficient_funds,
            fmt::format("insufficient funds for gas * price + value: balance {}, tx cost {}, overshot {}",
                        account.balance, cost, cost - account.balance)};
}

Verdict SimMempool::check_slot(const SimTx& transaction, const SimState& state) const {
    const auto old = at(transaction.sender, transaction.nonce);
    if (old && (!is_raised(max_fee(old->fees), max_fee(transaction.fees), options_.bump_percent) ||
                !is_raised(max_priority_fee(old->fees), max_priority_fee(transaction.fees), options_.bump_percent))) {
        return {SendOutcome::replacement_underpriced, "replacement transaction underpriced"};
    }
    if (!old && !options_.holds_gaps && is_gapped(transaction, state)) {
        return {SendOutcome::nonce_too_high, fmt::format("nonce too high: tx nonce {}, gapped nonce {}",
                                                         transaction.nonce, next_nonce(transaction.sender, state))};
    }
    return {};
}

Verdict SimMempool::make_room(const SimTx& transaction, const SimState& state) {
    if (by_hash_.empty()) return {SendOutcome::pool_full, "txpool is full"};
    // Hashes are a total order among equals, so the order of this table does not matter.
    const auto less = [](const auto& a, const auto& b) { return is_cheaper(a.second, b.second); };
    const SimTxPtr cheapest = std::ranges::min_element(by_hash_, less)->second;
    const auto tip = max_priority_fee(cheapest->fees);
    if (max_priority_fee(transaction.fees) <= tip || max_fee(transaction.fees) <= max_fee(cheapest->fees)) {
        return {SendOutcome::underpriced, fmt::format("transaction underpriced: the pool is full and pays {}", tip)};
    }
    if (is_gapped(transaction, state) && !is_gapped(*cheapest, state)) {
        return {SendOutcome::pool_full, "future transaction tries to replace pending"};
    }
    remove(cheapest);
    return {};
}

Nonce SimMempool::next_nonce(const Address& sender, const SimState& state) const {
    Nonce nonce = state.account(sender).nonce;
    const auto slots = by_sender_.find(sender);
    if (slots == by_sender_.end()) return nonce;
    while (slots->second.contains(nonce))
        nonce = nonce.next();
    return nonce;
}

bool SimMempool::is_gapped(const SimTx& transaction, const SimState& state) const {
    return transaction.nonce > next_nonce(transaction.sender, state);
}

void SimMempool::sync(const SimState& state) {
    std::vector<SimTxPtr> gone;
    for (const auto& [sender, slots] : by_sender_) {
        const auto account = state.account(sender);
        for (const auto& [nonce, transaction] : slots) {
            if (nonce < account.nonce || transaction->max_cost() > account.balance) gone.push_back(transaction);
        }
    }
    for (const auto& transaction : gone)
        remove(transaction);
}

bool SimMempool::evict(const TxHash& hash) {
    const auto transaction = find(hash);
    if (transaction) remove(transaction);
    return transaction != nullptr;
}

void SimMempool::drop_all() {
    by_sender_.clear();
    by_hash_.clear();
    ++revision_;
}

void SimMempool::remove(const SimTxPtr& transaction) {
    const auto slots = by_sender_.find(transaction->sender);
    slots->second.erase(transaction->nonce);
    if (slots->second.empty()) by_sender_.erase(slots);
    by_hash_.erase(transaction->hash);
    ++revision_;
}

SimTxPtr SimMempool::find(const TxHash& hash) const {
    const auto found = by_hash_.find(hash);
    return found == by_hash_.end() ? nullptr : found->second;
}

SimTxPtr SimMempool::at(const Address& sender, Nonce nonce) const {
    const auto slots = by_sender_.find(sender);
    if (slots == by_sender_.end()) return nullptr;
    const auto found = slots->second.find(nonce);
    return found == slots->second.end() ? nullptr : found->second;
}

std::vector<SimTxPtr> SimMempool::contents() const {
    std::vector<SimTxPtr> all;
    all.reserve(by_hash_.size());
    for (const auto& [sender, slots] : by_sender_) {
        for (const auto& [nonce, transaction] : slots)
            all.push_back(transaction);
    }
    return all;
}

}  // namespace fencepost::sim
