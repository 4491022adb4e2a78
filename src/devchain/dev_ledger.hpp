// The development chain without its network: the simulated ledger with one mempool. It reports every change, so that a
// replay of the changes produces the same chain.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "devchain/operation.hpp"
#include "sim/ledger/sim_ledger.hpp"
#include "sim/ledger/sim_view.hpp"
#include "sim/mempool/sim_mempool.hpp"

namespace fencepost::devchain {

class DevLedger {
public:
    using OnChange = std::function<void(const Operation&)>;

    /// With the contracts of dev_contracts.hpp and no funded account.
    explicit DevLedger(const Genesis& genesis);

    /// Repeats a recorded change. An error when the result differs.
    [[nodiscard]] Status<ParseError> replay(const Operation& operation);
    /// Called after every change from now on.
    void on_change(OnChange on_change) { on_change_ = std::move(on_change); }

    // Actions.

    struct Submitted {
        TxHash hash;
        sim::Verdict verdict;
    };
    [[nodiscard]] Submitted submit(const Bytes& raw);
    const sim::SimBlock& mine(UnixTime now);
    void fund(const Address& account, const Uint256& amount);
    bool evict(const TxHash& hash);
    /// The transactions of the removed blocks are lost. An error, without effect, when it is too deep.
    [[nodiscard]] Status<ParseError> reorg(std::uint64_t depth, UnixTime now);

    // Queries.

    [[nodiscard]] std::uint64_t chain_id() const { return ledger_.options().chain_id; }
    [[nodiscard]] const sim::SimLedger& ledger() const { return ledger_; }
    [[nodiscard]] const sim::SimBlock& head() const { return ledger_.head(); }
    [[nodiscard]] sim::SimView view() const { return {ledger_, head()}; }
    [[nodiscard]] const sim::SimMempool& pool() const { return pool_; }
    /// The next block if it were mined now.
    [[nodiscard]] const sim::BlockBuilder& pending() const;

private:
    struct Pending {
        const sim::SimState* state;
        std::uint64_t revision;
        const sim::SimBlock* head;
        sim::BlockBuilder builder;
    };

    [[nodiscard]] sim::PoolHead pool_head() const;
    [[nodiscard]] sim::Verdict take(const Bytes& raw, const TxHash& hash);
    const sim::SimBlock& seal(UnixTime now, const std::vector<sim::SimTxPtr>& candidates);
    void note(const Operation& operation) const;

    Status<ParseError> replay_one(const Funded& funded);
    Status<ParseError> replay_one(const Received& received);
    Status<ParseError> replay_one(const Evicted& evicted);
    Status<ParseError> replay_one(const Mined& mined);
    Status<ParseError> replay_one(const Reorganised& reorganised);

    sim::SimLedger ledger_;
    sim::SimMempool pool_;
    OnChange on_change_;
    mutable std::optional<Pending> pending_;  // while the state is unchanged
};

}  // namespace fencepost::devchain
