// Injects the faults that the plan and the seed prescribe, and repairs each after a while. Every fault is counted.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "sim/sim_clock.hpp"
#include "sim/simulation/chain_checker.hpp"
#include "sim/simulation/cluster.hpp"
#include "sim/simulation/outage_checker.hpp"
#include "sim/simulation/settings.hpp"
#include "sim/simulation/violation.hpp"

namespace fencepost::sim {

class FaultDriver {
public:
    struct Dependencies {
        World& world;
        SimNetwork& network;
        SimDatabase& database;
        SimSigner& signer;
        Cluster& cluster;
        ChainChecker& chain;
        OutageChecker& outage;
        const Settings& settings;
        const std::vector<SubmitterId>& submitters;
        Counts& counts;
    };
    explicit FaultDriver(const Dependencies& parts);

    /// Stops injecting faults and repairs everything.
    void end_fault_phase();
    /// Keeps the base fee high during a fee spike. Called before each block.
    void price_next_block();
    /// Whether an external sender used this key: then its lane may legitimately have stopped.
    [[nodiscard]] bool was_used_externally(const SubmitterId& submitter) const {
        return used_externally_.contains(submitter);
    }
    [[nodiscard]] bool is_external_tx(const TxHash& hash) const { return external_txs_.contains(hash); }

private:
    /// Returns false when there was nothing to break.
    using Act = bool (FaultDriver::*)();

    [[nodiscard]] Task<void> every(Duration mean, std::string name, Act act);
    /// Runs the repair after the delay, unless end_fault_phase() already repaired everything.
    void later(Duration delay, std::function<void()> action);
    [[nodiscard]] Task<void> wait_and(Duration delay, std::function<void()> action);
    [[nodiscard]] Duration up_to(Duration most) {
        return Duration(random_.below(static_cast<std::uint64_t>(most.count()) + 1));
    }
    [[nodiscard]] SimulatedNode* any_node() { return dependencies_.cluster.random_node(random_); }
    [[nodiscard]] SimEndpoint& any_endpoint();

    void plan_permanent_faults();
    void break_permanently();
    void throttle_first_endpoint();
    void correct_database_clock();
    void plan_common_outage();
    void begin_common_outage();
    void break_all(PermanentFault fault);
    void end_common_outage();

    [[nodiscard]] bool crash();
    [[nodiscard]] bool leave();
    [[nodiscard]] bool pause();
    [[nodiscard]] bool jump_clock();
    [[nodiscard]] bool step_database_clock();
    [[nodiscard]] bool cut_off();
    [[nodiscard]] bool stop_database();
    [[nodiscard]] bool stop_endpoint();
    [[nodiscard]] bool lag_endpoint();
    [[nodiscard]] bool evict();
    [[nodiscard]] bool reorg();
    [[nodiscard]] bool spike_fees();
    [[nodiscard]] const SubmitterId& any_key();
    [[nodiscard]] bool use_key_externally();
    [[nodiscard]] bool refuse();
    [[nodiscard]] bool top_up_accounts();
    [[nodiscard]] bool use_shared_key();
    [[nodiscard]] bool block_recycled_nonce();
    [[nodiscard]] bool send_external(const SubmitterId& submitter, Nonce nonce);
    [[nodiscard]] SignedTransaction sign_external(const SubmitterId& submitter, Nonce nonce, Wei fee);
    void resend_external();

    Dependencies dependencies_;
    SimNode& process_;
    SimClock clock_;
    SeededRandom random_;
    bool faults_ended_ = false;
    /// The database clock's previous offset, while it is set back.
    std::optional<Duration> clock_before_{};
    std::uint64_t spiked_blocks_ = 0;
    Wei spike_{};
    std::set<SubmitterId> used_externally_;
    std::set<TxHash> external_txs_;
    struct ExternalTx {
        SubmitterId submitter;
        Nonce nonce;
        Bytes raw;
    };
    [[nodiscard]] bool is_recyclable(const ExternalTx& sent);
    std::vector<ExternalTx> sent_external_;
    std::vector<TxHash> underpriced_external_;
};

}  // namespace fencepost::sim
