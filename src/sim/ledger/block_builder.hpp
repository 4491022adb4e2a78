// Executes transactions one after the other on a state: a miner makes blocks this way, and a node answers calls on
// "pending".
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

    /// Executes the transaction; one that reverts also uses its nonce and gas. False, without effect, when no block may
    /// include it here: wrong nonce, not enough funds, below the base fee, or no gas left in the block.
    bool add(const SimTxPtr& transaction);
    /// Adds every possible candidate, highest tip first, each sender's in nonce order. Of several with one nonce only
    /// the best is used. Equal prices keep the order of the list.
    void add_by_price(std::span<const SimTxPtr> candidates);

    /// Executes a call without a transaction. The result includes its gas; state changes are discarded.
    [[nodiscard]] CallOutcome try_call(const ContractCall& call, const std::optional<Address>& to) const;

    [[nodiscard]] const SimState& state() const { return state_; }
    [[nodiscard]] SimState& state() { return state_; }
    [[nodiscard]] Gas gas_used() const { return gas_used_; }
    [[nodiscard]] const std::vector<SimTxPtr>& transactions() const { return transactions_; }
    /// Without block number and hash, which are not known yet.
    [[nodiscard]] const std::vector<Receipt>& receipts() const { return receipts_; }
    /// Failure reasons; empty for successful transactions.
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
