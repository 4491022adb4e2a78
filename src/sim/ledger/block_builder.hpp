// Executes transactions one after the other on a state: what a miner does to make a block, and a node to answer
// questions about "pending".
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "domain/tx/receipt.hpp"
#include "sim/ledger/contract.hpp"
#include "sim/ledger/sim_tx.hpp"

namespace fencepost::sim {

using Contracts = std::map<Address, SimContract>;

struct CallOutcome {
    bool succeeded = true;
    Gas gas_used;
    std::string reason{};
    Bytes output{};
};

class BlockBuilder {
public:
    BlockBuilder(const Contracts& contracts, SimState state, Uint256 base_fee, Gas gas_limit);

    /// Executes the transaction, also one that reverts: it uses its nonce and its gas. False, and nothing happens, when
    /// no block may hold it here: not the sender's next nonce, not payable, below the base fee, or no room for it.
    bool add(const SimTxPtr& transaction);
    /// Adds what can be added, the best tip first, each sender's in the order of their nonces. Of several for one nonce
    /// the best stays. Of those that pay the same the first in this list comes first.
    void add_by_price(std::span<const SimTxPtr> candidates);

    /// Runs a call without a transaction around it. Gas is what it takes; nothing is kept.
    [[nodiscard]] CallOutcome try_call(const ContractCall& call, const std::optional<Address>& to) const;

    [[nodiscard]] const SimState& state() const { return state_; }
    [[nodiscard]] SimState& state() { return state_; }
    [[nodiscard]] Gas gas_used() const { return gas_used_; }
    [[nodiscard]] const std::vector<SimTxPtr>& transactions() const { return transactions_; }
    /// Without number and hash of the block, which are not known yet.
    [[nodiscard]] const std::vector<Receipt>& receipts() const { return receipts_; }
    /// Of those that failed; empty for the others.
    [[nodiscard]] const std::vector<std::string>& reasons() const { return reasons_; }

private:
    [[nodiscard]] CallOutcome run(const ContractCall& call, const std::optional<Address>& to,
                                  ContractStorage& storage) const;
    [[nodiscard]] CallOutcome execute(const SimTx& transaction);
    void apply_authorizations(const SimTx& transaction);

    const Contracts* contracts_;
    SimState state_;
    Uint256 base_fee_;
    Gas gas_limit_;
    Gas gas_used_;
    std::vector<SimTxPtr> transactions_;
    std::vector<Receipt> receipts_;
    std::vector<std::string> reasons_;
};

}  // namespace fencepost::sim
