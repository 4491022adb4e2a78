// The truth of the simulated chain: blocks, forks and what was executed. It is synchronous and knows no network: who
// sees how much of it, and when, is the endpoints' business.
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
    /// Of the first block; none for a chain without EIP-1559.
    std::optional<Wei> base_fee = Wei(1'000'000'000);
    /// Otherwise it follows the rule of EIP-1559.
    bool base_fee_is_fixed = false;
    Gas gas_limit{30'000'000};
    std::uint64_t safe_lag = 32;
    std::uint64_t finalized_lag = 64;
};

/// A transaction that is on the canonical chain, for checkers.
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

    // What a test sets up.

    /// At once, as if it had always been in the head block; a reorg does not take it away.
    void fund(const Address& address, const Uint256& amount);
    /// Of an account that has a past; before the first block that is mined here.
    void set_nonce(const Address& address, Nonce nonce);
    /// Whether its transactions are executed by a contract's code (EIP-7702); as lasting as fund().
    void set_delegated(const Address& address, bool delegated);
    void add_contract(const Address& address, SimContract contract);
    /// Of the next block; after it the rule of EIP-1559 goes on from there.
    void set_next_base_fee(Wei base_fee) { next_base_fee_ = base_fee; }

    // What happens.

    const SimBlock& mine(UnixTime now, std::span<const SimTxPtr> candidates);
    /// Replaces the highest blocks by others. What is finalized stays, unless the reorg is told to go past it.
    ReorgResult reorg(const Reorg& reorg, UnixTime now);

    // What is.

    [[nodiscard]] const LedgerOptions& options() const { return options_; }
    [[nodiscard]] TxCache& cache() { return cache_; }
    [[nodiscard]] const Contracts& contracts() const { return contracts_; }
    [[nodiscard]] const SimBlock& head() const { return *canonical_.back(); }
    [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
    [[nodiscard]] std::optional<BlockNumber> finalized() const { return head().finalized; }
    /// So many blocks may a reorg take away.
    [[nodiscard]] std::uint64_t deepest_reorg() const;

    /// The block at this height on the branch that ends in `head`; none above it.
    [[nodiscard]] const SimBlock* ancestor(const SimBlock& head, BlockNumber number) const;
    /// Of any branch.
    [[nodiscard]] const SimBlock* block(const BlockHash& hash) const;
    /// On the branch that ends in `head`.
    [[nodiscard]] std::optional<Executed> executed(const SimBlock& head, const TxHash& hash) const;
    [[nodiscard]] std::optional<Executed> executed(const SimBlock& head, const Address& sender, Nonce nonce) const;
    /// Everything on the canonical chain, in its order.
    [[nodiscard]] std::vector<Executed> executed() const;

    /// A builder for the block after `parent`.
    [[nodiscard]] BlockBuilder build_on(const SimBlock& parent) const;
    /// The base fee of the block after `parent`; zero on a chain without.
    [[nodiscard]] Uint256 base_fee_after(const SimBlock& parent) const;

private:
    using Place = std::pair<const SimBlock*, std::size_t>;

    const SimBlock& seal(const SimBlock* parent, BlockBuilder built, UnixTime now);
    [[nodiscard]] Block header(const SimBlock* parent, const BlockBuilder& built, UnixTime now);
    void extend(const SimBlock* parent, std::shared_ptr<SimBlock> sealed);
    void set_finality(SimBlock& sealed) const;
    /// Changes the state after the head block, and again when another block takes its place.
    void arrange(std::function<void(SimState&)> change);
    void apply_arrangements(SimState& state, BlockNumber number) const;
    [[nodiscard]] std::optional<Executed> on_branch(const SimBlock& head, std::span<const Place> places) const;

    LedgerOptions options_;
    TxCache cache_;
    Contracts contracts_;
    std::vector<std::shared_ptr<SimBlock>> canonical_;  // by number
    std::unordered_map<BlockHash, std::shared_ptr<SimBlock>> blocks_;
    std::unordered_map<TxHash, std::vector<Place>> by_hash_;
    std::map<std::pair<Address, Nonce>, std::vector<Place>> by_nonce_;
    std::multimap<BlockNumber, std::function<void(SimState&)>> arranged_;
    std::optional<Wei> next_base_fee_;
    std::optional<BlockNumber> highest_finalized_;
    std::vector<Step> steps_;
    std::uint64_t sealed_ = 0;
};

}  // namespace fencepost::sim
