// The pool's background work in geth: after additions, and on each new head.
#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "sim/mempool/sim_mempool.hpp"

namespace fencepost::sim {

void SimMempool::promote(const PoolHead& head) {
    for (const auto& address : std::exchange(changed_, {})) {
        promote(address, head, next_nonce(address, head.state));
        erase_if_empty(address);
    }
    finish_upkeep();
}

void SimMempool::sync(const PoolHead& head) {
    changed_.clear();
    for (auto& [address, account] : accounts_) {
        // Promotes from the mined nonce although more may be pending: geth has cleared its pending nonces at this
        // point.
        const auto owner = head.state.account(address);
        if (!account.queued.empty()) promote(address, head, owner.nonce);
        drop_unusable(account, owner.nonce, owner.balance, head.gas_limit);
    }
    std::erase_if(accounts_,
                  [](const auto& entry) { return entry.second.pending.empty() && entry.second.queued.empty(); });
    prices_.set_base_fee(head.next_base_fee, all_);
    finish_upkeep();
}

void SimMempool::finish_upkeep() {
    truncate_pending();
    truncate_queue();
    evicted_since_promotion_ = 0;
    needs_promotion_ = false;
}

void SimMempool::promote(const Address& address, const PoolHead& head, Nonce next) {
    const auto found = accounts_.find(address);
    if (found == accounts_.end()) return;
    auto& account = found->second;
    auto& queued = account.queued;
    const auto owner = head.state.account(address);
    const auto is_unusable = [&owner, &head](const SimTx& transaction) {
        return transaction.nonce < owner.nonce || transaction.gas_limit > head.gas_limit ||
               transaction.max_cost() > owner.balance;
    };
    Txs dropped;
    for (auto entry = queued.begin(); entry != queued.end();) {
        const auto current = entry++;
        if (is_unusable(*current->second)) dropped.insert(queued.extract(current));
    }
    bool moved = false;
    if (!queued.empty() && queued.begin()->first <= next) {
        for (auto nonce = queued.begin()->first; !queued.empty() && queued.begin()->first == nonce;
             nonce = nonce.next()) {
            make_pending(account, queued.extract(queued.begin()).mapped());
            moved = true;
        }
    }
    while (queued.size() > options_.account_queue)
        dropped.insert(queued.extract(std::prev(queued.end())));
    if (moved && !queued.empty()) account.queue_activity = ++activity_counter_;
    forget(dropped);
}

// Drops the transaction when the total cost of all pending ones would overflow.
void SimMempool::make_pending(Account& account, const SimTxPtr& transaction) {
    const auto old = account.pending.find(transaction->nonce);
    const bool is_new = old == account.pending.end();
    const Uint256 others = is_new ? account.cost : account.cost - old->second->max_cost();
    const auto cost = Uint256::checked_add(others, transaction->max_cost());
    auto loser = transaction;
    if (cost && is_new) {
        account.pending.emplace(transaction->nonce, transaction);
        account.cost = *cost;
        ++pending_size_;
        ++revision_;
        return;
    }
    if (cost && is_raised(*old->second, *transaction)) {
        loser = std::exchange(old->second, transaction);
        account.cost = *cost;
    }
    forget(*loser);
    prices_.removed(1, all_);
}

void SimMempool::take_pending(Account& account, Txs::iterator transaction) {
    account.cost = account.cost - transaction->second->max_cost();
    --pending_size_;
    account.pending.erase(transaction);
    ++revision_;
}

void SimMempool::demote(Account& account, Txs::iterator first) {
    while (first != account.pending.end()) {
        const auto transaction = first->second;
        take_pending(account, first++);
        if (enqueue(account, transaction)) continue;
        forget(*transaction);
        prices_.removed(1, all_);
    }
}

void SimMempool::forget(const Txs& transactions) {
    for (const auto& [nonce, transaction] : transactions)
        forget(*transaction);
    prices_.removed(transactions.size(), all_);
}

// Applies to pending transactions.
void SimMempool::drop_unusable(Account& account, Nonce next, const Uint256& balance, Gas gas_limit) {
    auto& pending = account.pending;
    Txs dropped;
    const auto drop = [&](Txs::iterator transaction) {
        dropped.insert(*transaction);
        take_pending(account, transaction);
    };
    while (!pending.empty() && pending.begin()->first < next)
        drop(pending.begin());
    const auto is_unusable = [&](const auto& entry) {
        return entry.second->gas_limit > gas_limit || entry.second->max_cost() > balance;
    };
    const auto lowest = std::ranges::find_if(pending, is_unusable);
    if (lowest != pending.end()) {
        const Nonce broken = lowest->first;
        for (auto entry = lowest; entry != pending.end();) {
            const auto current = entry++;
            if (is_unusable(*current)) drop(current);
        }
        demote(account, pending.upper_bound(broken));
    }
    if (!pending.empty() && pending.begin()->first != next) demote(account, pending.begin());
    forget(dropped);
}

// Reduces the largest accounts together to the next largest, and so on, until the limit is met; never below an
// account's guaranteed slots. May remove one more of each than needed.
void SimMempool::truncate_pending() {
    if (pending_size_ <= options_.global_slots) return;
    std::vector<Account*> largest;
    for (auto& [address, account] : accounts_) {
        if (account.pending.size() > options_.account_slots) largest.push_back(&account);
    }
    if (largest.empty()) return;
    std::ranges::sort(largest, std::greater<>{}, [](const auto* account) { return account->pending.size(); });
    const auto cut_to = [&](std::size_t first_accounts, std::size_t size) {
        while (pending_size_ > options_.global_slots && largest[first_accounts - 1]->pending.size() > size) {
            for (std::size_t i = 0; i < first_accounts; ++i)
                drop_last_pending(*largest[i]);
        }
    };
    for (std::size_t i = 1; i < largest.size(); ++i)
        cut_to(i, largest[i]->pending.size());
    cut_to(largest.size(), options_.account_slots);
}

void SimMempool::drop_last_pending(Account& account) {
    const auto last = std::prev(account.pending.end());
    const auto transaction = last->second;
    take_pending(account, last);
    forget(*transaction);
    prices_.removed(1, all_);
}

// Truncates the queues of the longest inactive accounts first, from the highest nonce down.
void SimMempool::truncate_queue() {
    if (queued_size() <= options_.global_queue) return;
    std::vector<std::pair<std::uint64_t, Address>> oldest;
    for (const auto& [address, account] : accounts_) {
        if (!account.queued.empty()) oldest.emplace_back(account.queue_activity, address);
    }
    std::ranges::sort(oldest);
    for (const auto& [queue_activity, address] : oldest) {
        auto& queued = accounts_.at(address).queued;
        while (queued_size() > options_.global_queue && !queued.empty()) {
            const auto transaction = queued.extract(std::prev(queued.end())).mapped();
            forget(*transaction);
            prices_.removed(1, all_);
        }
        erase_if_empty(address);
        if (queued_size() <= options_.global_queue) return;
    }
}

}  // namespace fencepost::sim
