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
#include "sim/simulation/verdict.hpp"

namespace fencepost::sim {

class FaultDriver {
public:
    struct Parts {
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
    explicit FaultDriver(const Parts& parts);

    /// Stops injecting faults and repairs everything.
    void calm_down();
    /// Keeps the base fee high during a fee spike. Called before each block.
    void price_next_block();
    /// Whether an external sender used this key: then its lane may legitimately have stopped.
    [[nodiscard]] bool was_used_outside(const SubmitterId& submitter) const {
        return used_outside_.contains(submitter);
    }
    [[nodiscard]] bool is_outsiders(const TxHash& hash) const { return outsiders_.contains(hash); }

private:
    /// Returns false when there was nothing to break.
    using Act = bool (FaultDriver::*)();

    [[nodiscard]] Task<void> every(Duration mean, std::string name, Act act);
    /// Runs the repair after the delay, unless calm_down() already repaired everything.
    void later(Duration delay, std::function<void()> action);
    [[nodiscard]] Task<void> wait_and(Duration delay, std::function<void()> action);
    [[nodiscard]] Duration up_to(Duration most) {
        return Duration(random_.below(static_cast<std::uint64_t>(most.count()) + 1));
    }
    [[nodiscard]] SimulatedNode* any_node() { return parts_.cluster.any(random_); }
    [[nodiscard]] SimEndpoint& any_endpoint();

    void plan_lasting_faults();
    void break_for_good();
    void hold_back_answers();
    void correct_database_clock();
    void plan_common_outage();
    void begin_common_outage();
    void break_all(LastingFault fault);
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
    [[nodiscard]] bool use_key_outside();
    [[nodiscard]] bool refuse();
    [[nodiscard]] bool pay();
    [[nodiscard]] bool use_shared_key();
    [[nodiscard]] bool block_a_nonce_given_back();
    [[nodiscard]] bool send_outside(const SubmitterId& submitter, Nonce nonce);
    [[nodiscard]] SignedTransaction sign_outside(const SubmitterId& submitter, Nonce nonce, Wei fee);
    void send_again_outside();

    Parts parts_;
    SimNode& process_;
    SimClock clock_;
    SeededRandom random_;
    bool calm_ = false;
    /// The database clock's previous offset, while it is set back.
    std::optional<Duration> clock_before_{};
    std::uint64_t spiked_blocks_ = 0;
    Wei spike_{};
    std::set<SubmitterId> used_outside_;
    std::set<TxHash> outsiders_;
    struct SentOutside {
        SubmitterId submitter;
        Nonce nonce;
        Bytes raw;
    };
    [[nodiscard]] bool is_free_to_us(const SentOutside& sent);
    std::vector<SentOutside> sent_outside_;
    std::vector<TxHash> cheap_ones_;
};

}  // namespace fencepost::sim
