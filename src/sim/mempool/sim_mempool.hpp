// What waits to be mined, as one endpoint sees it, by the rules and in the words of geth 1.17.6
// (core/txpool/legacypool); tests/contract/geth_pool compares it with a real one. Two parts per account: what is
// pending could be mined one after the other, and is what the pending count tells of; what is queued waits for a lower
// nonce, or only for upkeep.
//
// Every transaction comes in by the queue. geth sorts out what can be mined beside its callers, so here it takes a call
// of its own: promote() soon after an addition, sync() on a new head.
//
// Not here: geth's three hours after which it gives up what is queued, blobs, and its limits of size and of init code.
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
    /// Of a price floor: what it asks for.
    std::optional<Wei> least_tip{};
    /// It may be taken later, without anything about it changing.
    bool is_temporary = false;
};

struct MempoolOptions {
    Wei minimum_tip{1};
    /// By so much both fee fields of a replacement must be higher.
    std::uint64_t bump_percent = 10;
    /// So many of an account's that are pending stay when pending ones are cut back to the pool's slots.
    std::size_t account_slots = 16;
    std::size_t global_slots = 5'120;
    /// Out of order, of one account and of all.
    std::size_t account_queue = 64;
    std::size_t global_queue = 1'024;
    /// Whether a transaction whose predecessors are missing is held until they come, or refused.
    bool holds_gaps = true;
    /// Whether an account with code, or with an authorization that waits, may have one in flight only (EIP-7702).
    bool limits_delegated = true;
    /// The node's own limit of fee × gas, in wei.
    std::optional<Uint256> fee_cap{};
};

/// The block on top of which the pool's transactions are to be mined.
struct PoolHead {
    const SimState& state;
    Gas gas_limit;
    /// Of the block after it.
    Uint256 next_base_fee{};
};

class SimMempool {
public:
    explicit SimMempool(MempoolOptions options) : options_(options) {}

    Verdict add(const SimTxPtr& transaction, const PoolHead& head);
    /// Moves what can be mined now out of the queues of accounts that sent something, and cuts both parts to size.
    void promote(const PoolHead& head);
    /// Whether something was added since.
    [[nodiscard]] bool needs_promotion() const { return needs_promotion_; }
    /// Takes over a new head: forgets what can never be mined on top of it any more or cannot be paid, and promotes
    /// what can be mined next. An account's tail behind what still waits stays queued, also where promote() was due.
    void sync(const PoolHead& head);
    bool evict(const TxHash& hash);
    void drop_all();

    [[nodiscard]] SimTxPtr find(const TxHash& hash) const;
    [[nodiscard]] SimTxPtr at(const Address& sender, Nonce nonce) const;
    /// The nonce after the last that is pending.
    [[nodiscard]] Nonce next_nonce(const Address& sender, const SimState& state) const;
    /// The highest nonce of all that it holds of the account, if any.
    [[nodiscard]] std::optional<Nonce> highest_nonce(const Address& sender) const;
    /// All, also what is queued, by sender and nonce.
    [[nodiscard]] std::vector<SimTxPtr> contents() const;
    /// What a miner is given, by sender and nonce.
    [[nodiscard]] std::vector<SimTxPtr> pending() const;
    [[nodiscard]] std::size_t size() const { return all_.size(); }
    [[nodiscard]] std::size_t pending_size() const { return pending_size_; }
    [[nodiscard]] std::size_t queued_size() const { return all_.size() - pending_size_; }
    /// Changes whenever the contents do.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }

    [[nodiscard]] MempoolOptions& options() { return options_; }

private:
    using Txs = std::map<Nonce, SimTxPtr>;
    struct Account {
        Txs pending;
        Txs queued;
        /// Of what is pending.
        Uint256 cost;
        /// When something of its queue last moved: the queues of the longest quiet accounts are cut first.
        std::uint64_t beat = 0;
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
    /// False where a better one is there.
    bool enqueue(Account& account, const SimTxPtr& transaction);
    void remember(const SimTxPtr& transaction);
    /// It is in neither part any more.
    void forget(const SimTx& transaction);
    void forget(const Txs& transactions);
    /// Takes it out, and queues what stood on it. So many were pending.
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
    /// How many transactions that wait hold an authorization of this account.
    std::map<Address, std::size_t> authorities_;
    std::size_t slots_ = 0;
    std::size_t pending_size_ = 0;
    std::set<Address> changed_;
    bool needs_promotion_ = false;
    std::size_t pushed_out_ = 0;  // since the last promotion
    std::uint64_t beats_ = 0;
    std::uint64_t revision_ = 0;
};

}  // namespace fencepost::sim
