// Which transactions the pool accepts, and which it evicts for them. Background work is in sim_mempool_upkeep.cpp.
#include "sim/mempool/sim_mempool.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace fencepost::sim {
namespace {

bool is_refusal(const Verdict& verdict) { return verdict.outcome != SendOutcome::accepted; }

bool is_raised_by(const Wei& old, const Wei& offered, std::uint64_t percent) {
    const auto scaled = Uint256::checked_mul(old.value(), 100 + percent);
    return offered > old && scaled && offered.value() >= *scaled / Uint256(100);
}

Verdict unaffordable(const Uint256& balance, std::string_view what, const Uint256& needed) {
    return {SendOutcome::insufficient_funds,
            fmt::format("insufficient funds for gas * price + value: balance {}, {}, overshot {}", balance, what,
                        needed - balance)};
}

Verdict temporary(SendOutcome outcome, std::string message) {
    return {.outcome = outcome, .message = std::move(message), .is_temporary = true};
}

}  // namespace

const SimMempool::Account* SimMempool::account(const Address& address) const {
    const auto found = accounts_.find(address);
    return found == accounts_.end() ? nullptr : &found->second;
}

Verdict SimMempool::add(const SimTxPtr& transaction, const PoolHead& head) {
    if (all_.contains(transaction->hash)) return {SendOutcome::already_known, "already known"};
    if (auto verdict = check_form(*transaction, head.gas_limit); is_refusal(verdict)) return verdict;
    needs_promotion_ = true;
    if (auto verdict = check_account(*transaction, head.state); is_refusal(verdict)) return verdict;
    if (auto verdict = check_delegation(*transaction, head.state); is_refusal(verdict)) return verdict;
    if (auto verdict = check_order(*transaction, head.state); is_refusal(verdict)) return verdict;
    if (slots_ + slots_of(*transaction) > options_.global_slots + options_.global_queue) {
        if (auto verdict = make_room(transaction, head.state); is_refusal(verdict)) return verdict;
    }
    return put(transaction);
}

Verdict SimMempool::check_form(const SimTx& transaction, Gas block_gas_limit) const {
    const Wei fee = max_fee(transaction.fees);
    const Wei tip = max_priority_fee(transaction.fees);
    if (transaction.gas_limit > block_gas_limit) return {SendOutcome::over_block_gas_limit, "exceeds block gas limit"};
    if (tip > fee) return {SendOutcome::tip_above_cap, "max priority fee per gas higher than max fee per gas"};
    const Gas needed = intrinsic_gas(transaction);
    if (transaction.gas_limit < needed) {
        return {SendOutcome::intrinsic_gas,
                fmt::format("intrinsic gas too low: gas {}, minimum needed {}", transaction.gas_limit, needed)};
    }
    if (tip < options_.minimum_tip) {
        return {SendOutcome::price_floor,
                fmt::format("transaction gas price below minimum: gas tip cap {}, minimum needed {}", tip,
                            options_.minimum_tip),
                options_.minimum_tip};
    }
    const auto most = Uint256::checked_mul(fee.value(), transaction.gas_limit.value()).value_or(Uint256::max());
    if (options_.fee_cap && most > *options_.fee_cap) {
        return {SendOutcome::node_fee_cap,
                fmt::format("tx fee ({} wei) exceeds the configured cap ({} wei)", most, *options_.fee_cap)};
    }
    return {};
}

// Of the transactions already held only pending ones count.
Verdict SimMempool::check_account(const SimTx& transaction, const SimState& state) const {
    const auto owner = state.account(transaction.sender);
    if (transaction.nonce < owner.nonce) {
        return {SendOutcome::nonce_too_low,
                fmt::format("nonce too low: next nonce {}, tx nonce {}", owner.nonce, transaction.nonce)};
    }
    const Uint256 cost = transaction.max_cost();
    if (cost > owner.balance) return unaffordable(owner.balance, fmt::format("tx cost {}", cost), cost);
    const auto* held = account(transaction.sender);
    if (held == nullptr || held->pending.empty()) return {};
    const auto old = held->pending.find(transaction.nonce);
    const Uint256 replaced = old == held->pending.end() ? Uint256{} : old->second->max_cost();
    const auto needed = Uint256::checked_add(held->cost - replaced, cost).value_or(Uint256::max());
    if (needed <= owner.balance) return {};
    const bool is_cheaper = cost < replaced;
    const auto what = old == held->pending.end()
                          ? fmt::format("queued cost {}, tx cost {}", held->cost, cost)
                          : fmt::format("queued cost {}, tx bumped {}{}", held->cost, is_cheaper ? "-" : "",
                                        is_cheaper ? replaced - cost : cost - replaced);
    return unaffordable(owner.balance, what, needed);
}

Verdict SimMempool::check_delegation(const SimTx& transaction, const SimState& state) const {
    if (!options_.limits_delegated) return {};
    const auto* held = account(transaction.sender);
    const bool has_pending = held != nullptr && !held->pending.empty();
    if (state.account(transaction.sender).is_delegated || authorities_.contains(transaction.sender)) {
        if (!has_pending && transaction.nonce != next_nonce(transaction.sender, state)) {
            return temporary(SendOutcome::nonce_too_high, "gapped-nonce tx from delegated accounts");
        }
        if (has_pending && !held->pending.contains(transaction.nonce)) {
            return temporary(SendOutcome::account_limit, "in-flight transaction limit reached for delegated accounts");
        }
    }
    for (const auto& authorization : transaction.authorizations) {
        const auto* authority = account(authorization.authority);
        if (authority != nullptr && authority->pending.size() + authority->queued.size() > 1)
            return temporary(SendOutcome::account_limit, "authority already reserved");
    }
    return {};
}

Verdict SimMempool::check_order(const SimTx& transaction, const SimState& state) const {
    if (options_.holds_gaps || !is_gapped(transaction, state)) return {};
    return {SendOutcome::nonce_too_high, fmt::format("nonce too high: tx nonce {}, gapped nonce {}", transaction.nonce,
                                                     next_nonce(transaction.sender, state))};
}

bool SimMempool::is_gapped(const SimTx& transaction, const SimState& state) const {
    const auto* held = account(transaction.sender);
    for (auto nonce = next_nonce(transaction.sender, state); nonce < transaction.nonce; nonce = nonce.next()) {
        if (held == nullptr || !held->queued.contains(nonce)) return true;
    }
    return false;
}

// By price alone: neither the account nor its number of transactions counts, and a price equal to the worst is refused.
Verdict SimMempool::make_room(const SimTxPtr& transaction, const SimState& state) {
    if (prices_.is_underpriced(transaction, all_))
        return temporary(SendOutcome::underpriced, "transaction underpriced");
    // Truncation is more thorough than this, so only a limited number is evicted this way until then.
    if (evicted_since_promotion_ > options_.global_slots / 4)
        return temporary(SendOutcome::pool_full, "txpool is full");
    const std::size_t limit = options_.global_slots + options_.global_queue;
    const auto dropped = prices_.discard(slots_ + slots_of(*transaction) - limit, all_);
    if (!dropped) return temporary(SendOutcome::pool_full, "txpool is full");
    const auto is_pending = [this](const SimTxPtr& held) {
        return accounts_.at(held->sender).pending.contains(held->nonce);
    };
    if (is_gapped(*transaction, state) && std::ranges::any_of(*dropped, is_pending)) {
        for (const auto& held : *dropped)
            prices_.put(held);
        return temporary(SendOutcome::pool_full, "future transaction tries to replace pending");
    }
    for (const auto& held : *dropped)
        evicted_since_promotion_ += remove(*held);
    return {};
}

Verdict SimMempool::put(const SimTxPtr& transaction) {
    Verdict too_cheap{SendOutcome::replacement_underpriced, "replacement transaction underpriced"};
    auto& owner = accounts_[transaction->sender];
    const auto old = owner.pending.find(transaction->nonce);
    if (old == owner.pending.end()) {
        const bool is_new = !owner.queued.contains(transaction->nonce);
        if (!enqueue(owner, transaction)) return too_cheap;
        if (is_new) changed_.insert(transaction->sender);
    } else {
        if (!is_raised(*old->second, *transaction)) return too_cheap;
        const auto replaced = std::exchange(old->second, transaction);
        owner.cost = owner.cost - replaced->max_cost() + transaction->max_cost();
        forget(*replaced);
        prices_.removed(1, all_);
        if (!owner.queued.empty()) owner.queue_activity = ++activity_counter_;
    }
    remember(transaction);
    prices_.put(transaction);
    return {};
}

bool SimMempool::is_raised(const SimTx& old, const SimTx& offered) const {
    return is_raised_by(max_fee(old.fees), max_fee(offered.fees), options_.bump_percent) &&
           is_raised_by(max_priority_fee(old.fees), max_priority_fee(offered.fees), options_.bump_percent);
}

bool SimMempool::enqueue(Account& account, const SimTxPtr& transaction) {
    const bool is_first = account.queued.empty();
    const auto [slot, is_new] = account.queued.try_emplace(transaction->nonce, transaction);
    if (is_new) {
        if (is_first) account.queue_activity = ++activity_counter_;
        return true;
    }
    if (!is_raised(*slot->second, *transaction)) return false;
    forget(*std::exchange(slot->second, transaction));
    prices_.removed(1, all_);
    return true;
}

void SimMempool::remember(const SimTxPtr& transaction) {
    all_.emplace(transaction->hash, transaction);
    slots_ += slots_of(*transaction);
    for (const auto& authorization : transaction->authorizations)
        ++authorities_[authorization.authority];
    ++revision_;
}

void SimMempool::forget(const SimTx& transaction) {
    for (const auto& authorization : transaction.authorizations) {
        const auto found = authorities_.find(authorization.authority);
        if (--found->second == 0) authorities_.erase(found);
    }
    slots_ -= slots_of(transaction);
    ++revision_;
    all_.erase(transaction.hash);
}

std::size_t SimMempool::remove(const SimTx& transaction) {
    const auto sender = transaction.sender;
    auto& owner = accounts_.at(sender);
    const auto found = owner.pending.find(transaction.nonce);
    std::size_t removed = 0;
    if (found != owner.pending.end()) {
        const auto behind = std::next(found);
        removed = 1 + static_cast<std::size_t>(std::distance(behind, owner.pending.end()));
        demote(owner, behind);
        take_pending(owner, found);
    } else {
        owner.queued.erase(transaction.nonce);
    }
    forget(transaction);
    erase_if_empty(sender);
    return removed;
}

void SimMempool::erase_if_empty(const Address& address) {
    const auto found = accounts_.find(address);
    if (found != accounts_.end() && found->second.pending.empty() && found->second.queued.empty())
        accounts_.erase(found);
}

bool SimMempool::evict(const TxHash& hash) {
    const auto transaction = find(hash);
    if (!transaction) return false;
    remove(*transaction);
    prices_.removed(1, all_);
    return true;
}

void SimMempool::drop_all() {
    accounts_.clear();
    all_.clear();
    prices_.clear();
    authorities_.clear();
    slots_ = 0;
    pending_size_ = 0;
    changed_.clear();
    needs_promotion_ = false;
    evicted_since_promotion_ = 0;
    ++revision_;
}

SimTxPtr SimMempool::find(const TxHash& hash) const {
    const auto found = all_.find(hash);
    return found == all_.end() ? nullptr : found->second;
}

SimTxPtr SimMempool::at(const Address& sender, Nonce nonce) const {
    const auto* held = account(sender);
    if (held == nullptr) return nullptr;
    for (const auto* part : {&held->pending, &held->queued}) {
        if (const auto found = part->find(nonce); found != part->end()) return found->second;
    }
    return nullptr;
}

Nonce SimMempool::next_nonce(const Address& sender, const SimState& state) const {
    const Nonce mined = state.account(sender).nonce;
    const auto* held = account(sender);
    if (held == nullptr || held->pending.empty()) return mined;
    return std::max(mined, held->pending.rbegin()->first.next());
}

std::optional<Nonce> SimMempool::highest_nonce(const Address& sender) const {
    const auto* held = account(sender);
    std::optional<Nonce> highest;
    if (held == nullptr) return highest;
    for (const auto* part : {&held->pending, &held->queued}) {
        if (!part->empty()) highest = std::max(highest, std::optional(part->rbegin()->first));
    }
    return highest;
}

std::vector<SimTxPtr> SimMempool::contents() const {
    std::vector<SimTxPtr> all;
    all.reserve(all_.size());
    for (const auto& [sender, held] : accounts_) {
        Txs both = held.pending;
        both.insert(held.queued.begin(), held.queued.end());
        std::ranges::transform(both, std::back_inserter(all), &Txs::value_type::second);
    }
    return all;
}

std::vector<SimTxPtr> SimMempool::pending() const {
    std::vector<SimTxPtr> all;
    all.reserve(pending_size_);
    for (const auto& [sender, held] : accounts_)
        std::ranges::transform(held.pending, std::back_inserter(all), &Txs::value_type::second);
    return all;
}

}  // namespace fencepost::sim
