// The ground truth of the simulated chain: blocks, forks and executed transactions. It is synchronous and knows no
// network: the endpoints decide who sees how much of it, and when.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/ledger/block_builder.hpp"
#include "sim/ledger/reorg.hpp"
#include "sim/ledger/sim_block.hpp"

namespace fencepost::sim {

struct LedgerOptions {
    std::uint64_t chain_id = 31'337;
    /// The first block's base fee; none for a chain without EIP-1559.
    std::optional<Wei> base_fee = Wei(1'000'000'000);
    /// If false, the base fee follows EIP-1559.
    bool base_fee_is_fixed = false;
    Gas gas_limit{30'000'000};
    std::uint64_t safe_lag = 32;
    std::uint64_t finalized_lag = 64;
};

/// A transaction on the canonical chain, for checkers.
struct Executed {
    SimTxPtr transaction;
    const SimBlock* block = nullptr;
    std::size_t index = 0;

    [[nodiscard]] const Receipt& receipt() const { return block->receipts[index]; }
};

class SimLedger {
public:
    /// From `at` on, `head` was the best block.
    struct Step {
        UnixTime at;
        const SimBlock* head = nullptr;
    };

    SimLedger(LedgerOptions options, UnixTime now);

    // Test setup.

    /// Takes effect at once in the head block; a reorg does not revert it.
    void fund(const Address& address, const Uint256& amount);
    /// For an account with earlier transactions; only before the first block is mined.
    void set_nonce(const Address& address, Nonce nonce);
    /// Whether a contract's code executes the account's transactions (EIP-7702); survives reorgs like fund().
    void set_delegated(const Address& address, bool delegated);
    void add_contract(const Address& address, SimContract contract);
    /// For the next block; later ones follow EIP-1559 from there.
    void set_next_base_fee(Wei base_fee) { next_base_fee_ = base_fee; }

    // Actions.

    const SimBlock& mine(UnixTime now, std::span<const SimTxPtr> candidates);
    /// Replaces the highest blocks. Finalized blocks stay, unless the reorg requests otherwise.
    ReorgResult reorg(const Reorg& reorg, UnixTime now);

    // Queries.

    [[nodiscard]] const LedgerOptions& options() const { return options_; }
    [[nodiscard]] TxCache& cache() { return cache_; }
    [[nodiscard]] const Contracts& contracts() const { return contracts_; }
    [[nodiscard]] const SimBlock& head() const { return *canonical_.back(); }
    [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
    [[nodiscard]] std::optional<BlockNumber> finalized() const { return head().finalized; }
    /// The maximum depth of a reorg.
    [[nodiscard]] std::uint64_t deepest_reorg() const;

    /// The block at this height on the branch that ends in `head`; null above it.
    [[nodiscard]] const SimBlock* ancestor(const SimBlock& head, BlockNumber number) const;
    /// On any branch.
    [[nodiscard]] const SimBlock* block(const BlockHash& hash) const;
    /// On the branch that ends in `head`.
    [[nodiscard]] std::optional<Executed> executed(const SimBlock& head, const TxHash& hash) const;
    [[nodiscard]] std::optional<Executed> executed(const SimBlock& head, const Address& sender, Nonce nonce) const;
    /// Every transaction on the canonical chain, in order.
    [[nodiscard]] std::vector<Executed> executed() const;

    /// A builder for the block after `parent`.
    [[nodiscard]] BlockBuilder build_on(const SimBlock& parent) const;
    /// The base fee of the block after `parent`; zero on a chain without one.
    [[nodiscard]] Uint256 base_fee_after(const SimBlock& parent) const;

private:
    using Place = std::pair<const SimBlock*, std::size_t>;

    const SimBlock& seal(const SimBlock* parent, BlockBuilder built, UnixTime now);
    [[nodiscard]] Block header(const SimBlock* parent, const BlockBuilder& built, UnixTime now);
    void extend(const SimBlock* parent, std::shared_ptr<SimBlock> sealed);
    void set_finality(SimBlock& sealed) const;
    /// Changes the state after the head block, and again after a block that replaces it.
    void change_state(std::function<void(SimState&)> change);
    void apply_state_changes(SimState& state, BlockNumber number) const;
    [[nodiscard]] std::optional<Executed> on_branch(const SimBlock& head, std::span<const Place> places) const;

    LedgerOptions options_;
    TxCache cache_;
    Contracts contracts_;
    std::vector<std::shared_ptr<SimBlock>> canonical_;  // by number
    std::unordered_map<BlockHash, std::shared_ptr<SimBlock>> blocks_;
    std::unordered_map<TxHash, std::vector<Place>> by_hash_;
    std::map<std::pair<Address, Nonce>, std::vector<Place>> by_nonce_;
    std::multimap<BlockNumber, std::function<void(SimState&)>> state_changes_;
    std::optional<Wei> next_base_fee_;
    std::optional<BlockNumber> highest_finalized_;
    std::vector<Step> steps_;
    std::uint64_t sealed_ = 0;
};

}  // namespace fencepost::sim
