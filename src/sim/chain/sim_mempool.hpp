// What waits to be mined, as one endpoint sees it, by geth's rules. The messages are geth's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "domain/send_outcome.hpp"
#include "sim/chain/sim_state.hpp"
#include "sim/chain/sim_tx.hpp"

namespace fencepost::sim {

/// An endpoint's answer to a transaction.
struct Verdict {
    SendOutcome outcome = SendOutcome::accepted;
    std::string message{};
};

struct MempoolOptions {
    Wei minimum_tip{1};
    /// By so much both fee fields of a replacement must be higher.
    std::uint64_t bump_percent = 10;
    std::size_t capacity = 5'120;
    /// Whether a transaction whose predecessors are missing is held until they come, or refused.
    bool holds_gaps = true;
    /// The node's own limit of fee × gas, in wei.
    std::optional<Uint256> fee_cap{};
};

class SimMempool {
public:
    explicit SimMempool(MempoolOptions options) : options_(options) {}

    Verdict add(const SimTxPtr& transaction, const SimState& state, Gas block_gas_limit);
    /// Forgets what can never be mined on top of this state any more, or cannot be paid.
    void sync(const SimState& state);
    bool evict(const TxHash& hash);
    void drop_all();

    [[nodiscard]] SimTxPtr find(const TxHash& hash) const;
    [[nodiscard]] SimTxPtr at(const Address& sender, Nonce nonce) const;
    /// The nonce after the last that could be mined now.
    [[nodiscard]] Nonce next_nonce(const Address& sender, const SimState& state) const;
    /// All, also those that wait for a predecessor, by sender and nonce.
    [[nodiscard]] std::vector<SimTxPtr> contents() const;
    [[nodiscard]] std::size_t size() const { return by_hash_.size(); }
    /// Changes whenever the contents do.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }

    [[nodiscard]] MempoolOptions& options() { return options_; }

private:
    using Slots = std::map<Nonce, SimTxPtr>;

    [[nodiscard]] Verdict check_form(const SimTx& transaction, Gas block_gas_limit) const;
    [[nodiscard]] Verdict check_account(const SimTx& transaction, const SimState& state) const;
    [[nodiscard]] Verdict check_slot(const SimTx& transaction, const SimState& state) const;
    Verdict make_room(const SimTx& transaction, const SimState& state);
    [[nodiscard]] bool is_gapped(const SimTx& transaction, const SimState& state) const;
    void remove(const SimTxPtr& transaction);

    MempoolOptions options_;
    std::map<Address, Slots> by_sender_;
    std::unordered_map<TxHash, SimTxPtr> by_hash_;
    std::uint64_t revision_ = 0;
};

}  // namespace fencepost::sim
