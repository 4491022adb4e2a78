// One endpoint's mempool, with the rules and error messages of geth 1.17.6 (core/txpool/legacypool);
// tests/contract/geth_pool compares it with a real one. Each account has two parts: pending transactions are executable
// in sequence and determine the pending count; queued ones wait for a lower nonce or for promotion.
//
// Every transaction enters through the queue. geth promotes executable ones in the background, so here this takes a
// separate call: promote() soon after an addition, sync() on a new head.
//
// Not modelled: geth's three-hour lifetime of queued transactions, blobs, and the limits of size and init code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "domain/window/send_outcome.hpp"
#include "sim/ledger/sim_state.hpp"
#include "sim/ledger/sim_tx.hpp"
#include "sim/mempool/pool_prices.hpp"

namespace fencepost::sim {

/// An endpoint's answer to a transaction.
struct Verdict {
    SendOutcome outcome = SendOutcome::accepted;
    std::string message{};
    /// For a price floor: the minimum tip.
    std::optional<Wei> min_tip{};
    /// The same transaction may be accepted later.
    bool is_temporary = false;
};

struct MempoolOptions {
    Wei minimum_tip{1};
    /// Minimum increase of both fee fields in a replacement.
    std::uint64_t bump_percent = 10;
    /// Pending transactions an account keeps when the pool is truncated to its slots.
    std::size_t account_slots = 16;
    std::size_t global_slots = 5'120;
    /// Queue limits: per account and in total.
    std::size_t account_queue = 64;
    std::size_t global_queue = 1'024;
    /// Whether a transaction with a nonce gap below it is held or refused.
    bool holds_gaps = true;
    /// Whether an account with code or with a pending authorization is limited to one transaction in flight (EIP-7702).
    bool limits_delegated = true;
    /// The node's own limit of fee × gas, in wei.
    std::optional<Uint256> fee_cap{};
};

/// The block on which the pool's transactions build.
struct PoolHead {
    const SimState& state;
    Gas gas_limit;
    /// The next block's base fee.
    Uint256 next_base_fee{};
};

class SimMempool {
public:
    explicit SimMempool(MempoolOptions options) : options_(options) {}

    Verdict add(const SimTxPtr& transaction, const PoolHead& head);
    /// Promotes executable transactions of accounts that sent something, and truncates both parts.
    void promote(const PoolHead& head);
    /// Whether something was added since.
    [[nodiscard]] bool needs_promotion() const { return needs_promotion_; }
    /// Adopts a new head: drops transactions that are outdated or unaffordable, and promotes those that are executable
    /// next. The transactions behind an account's pending ones stay queued, even if promote() was due.
    void sync(const PoolHead& head);
    bool evict(const TxHash& hash);
    void drop_all();

    [[nodiscard]] SimTxPtr find(const TxHash& hash) const;
    [[nodiscard]] SimTxPtr at(const Address& sender, Nonce nonce) const;
    /// The nonce after the last pending one.
    [[nodiscard]] Nonce next_nonce(const Address& sender, const SimState& state) const;
    /// The highest nonce that it holds of the account, if any.
    [[nodiscard]] std::optional<Nonce> highest_nonce(const Address& sender) const;
    /// All transactions including queued ones, by sender and nonce.
    [[nodiscard]] std::vector<SimTxPtr> contents() const;
    /// What a miner gets, by sender and nonce.
    [[nodiscard]] std::vector<SimTxPtr> pending() const;
    [[nodiscard]] std::size_t size() const { return all_.size(); }
    [[nodiscard]] std::size_t pending_size() const { return pending_size_; }
    [[nodiscard]] std::size_t queued_size() const { return all_.size() - pending_size_; }
    /// Changes with every change of the contents.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }

    [[nodiscard]] MempoolOptions& options() { return options_; }

private:
    using Txs = std::map<Nonce, SimTxPtr>;
    struct Account {
        Txs pending;
        Txs queued;
        /// Total cost of the pending transactions.
        Uint256 cost;
        /// When its queue last changed: the queues of the longest inactive accounts are truncated first.
        std::uint64_t queue_activity = 0;
    };
    using Accounts = std::map<Address, Account>;

    [[nodiscard]] Verdict check_form(const SimTx& transaction, Gas block_gas_limit) const;
    [[nodiscard]] Verdict check_account(const SimTx& transaction, const SimState& state) const;
    [[nodiscard]] Verdict check_delegation(const SimTx& transaction, const SimState& state) const;
    [[nodiscard]] Verdict check_order(const SimTx& transaction, const SimState& state) const;
    [[nodiscard]] bool is_raised(const SimTx& old, const SimTx& offered) const;
    [[nodiscard]] bool is_gapped(const SimTx& transaction, const SimState& state) const;
    [[nodiscard]] const Account* account(const Address& address) const;

    Verdict make_room(const SimTxPtr& transaction, const SimState& state);
    Verdict put(const SimTxPtr& transaction);
    /// False when the pool holds a better one at that nonce.
    bool enqueue(Account& account, const SimTxPtr& transaction);
    void remember(const SimTxPtr& transaction);
    /// For a transaction that is in neither part any more.
    void forget(const SimTx& transaction);
    void forget(const Txs& transactions);
    /// Removes it, and queues the pending ones with higher nonces. Returns how many were pending.
    std::size_t remove(const SimTx& transaction);
    void erase_if_empty(const Address& address);

    void promote(const Address& address, const PoolHead& head, Nonce next);
    void make_pending(Account& account, const SimTxPtr& transaction);
    void take_pending(Account& account, Txs::iterator transaction);
    void demote(Account& account, Txs::iterator first);
    void drop_unusable(Account& account, Nonce next, const Uint256& balance, Gas gas_limit);
    void finish_upkeep();
    void truncate_pending();
    void truncate_queue();
    void drop_last_pending(Account& account);

    MempoolOptions options_;
    Accounts accounts_;
    PoolContents all_;
    PoolPrices prices_;
    /// How many held transactions carry an authorization of this account.
    std::map<Address, std::size_t> authorities_;
    std::size_t slots_ = 0;
    std::size_t pending_size_ = 0;
    std::set<Address> changed_;
    bool needs_promotion_ = false;
    std::size_t evicted_since_promotion_ = 0;  // since the last promotion
    std::uint64_t activity_counter_ = 0;
    std::uint64_t revision_ = 0;
};

}  // namespace fencepost::sim
