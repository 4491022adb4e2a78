// The settings of a run. All follow from its seed: the size of the cluster, the chain, the kind and rate of faults, and
// the callers' requests. They are printed first, so that a failing run can be understood.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "lane/host/lane_host.hpp"
#include "lane/loop/lane_options.hpp"
#include "ports/stuck_policy.hpp"
#include "sim/chain/sim_connector.hpp"
#include "sim/chain/sim_network.hpp"
#include "sim/simulation/mutant.hpp"
#include "sim/store/sim_database.hpp"

namespace fencepost::sim {

/// More than a submitter can spend.
inline const Uint256 ample_balance = Uint256(1'000'000'000) * Uint256(1'000'000'000) * Uint256(100'000);

/// What the first node loses at some moment, permanently. It is not repaired at the end of the run either: everything
/// must settle nevertheless, because the other nodes work.
enum class PermanentFault { none, chain, signer };

/// What every node loses for ten minutes: its chain, its signer, or nine of ten answers of every endpoint. No other
/// fault moves lanes between nodes meanwhile.
enum class CommonOutage { none, chain, signer, answers };
inline constexpr Duration common_outage_duration = std::chrono::minutes(10);

/// Mean time between faults of each kind; zero: never.
struct FaultPlan {
    Duration crash{};
    Duration orderly_leave{};
    Duration pause{};
    Duration clock_jump{};
    Duration partition{};
    Duration database_outage{};
    /// The database clock steps one hour forward, or back for a while (failover to a standby whose clock is slow).
    Duration database_clock_step{};
    Duration endpoint_outage{};
    Duration endpoint_lag{};
    Duration eviction{};
    Duration reorg{};
    Duration fee_spike{};
    Duration external_use{};
    /// An endpoint refuses everything it is sent, with a permanent error.
    Duration refusal{};
    /// Accounts are topped up; only where funds were limited from the start.
    Duration top_up{};
    /// The other system that uses shared keys sends a transaction. Sometimes it takes a nonce that we recycled, pays
    /// too little and drops the transaction, which leaves a nonce gap.
    Duration other_system{};
    /// The deepest reorg; may exceed the required confirmations.
    std::uint64_t deepest_reorg = 1;
    /// One in this many wake-ups between nodes is lost; 1: all, 0: none.
    std::uint64_t lost_wakeups_one_in = 0;
    DatabaseFaults database{};
    FaultRates chain{};
    PermanentFault permanent_fault = PermanentFault::none;
    /// The first endpoint answers one call in ten until the end of the run.
    bool one_endpoint_throttled = false;
    CommonOutage common = CommonOutage::none;
};

struct Workload {
    std::size_t requests = 50;
    /// Mean time between two requests.
    Duration pause = std::chrono::seconds(1);
    /// Number of requests that come at once, for one submitter.
    std::size_t burst = 1;
    /// How long a caller waits for an answer before it asks another node.
    Duration answer_timeout = std::chrono::seconds(3);
    /// Percentage of requests sent to two nodes at once.
    std::uint32_t duplicated_percent = 10;
    /// Percentage of intents that revert on the chain.
    std::uint32_t reverting_percent = 5;
    /// Percentage of intents that every node refuses.
    std::uint32_t refused_percent = 0;
    /// Mean time between two operator commands.
    Duration submitter_command_pause = std::chrono::minutes(1);
    /// Mean time between two cancel, speed-up or resubmit commands.
    Duration tx_command_pause{};
};

/// A node of the chain holds the first submitter's key.
struct ConnectorPlan {
    ConnectorAbilities abilities{};
    ConnectorFaultRates faults{};
};

/// The endpoints' pool limits, their answer when a pool is full, and what they show of their pools.
struct PoolPlan {
    MempoolOptions limits{};
    TemporaryRefusals refusals = TemporaryRefusals::honest;
    /// Applies to the first endpoint; the others show their pool.
    PoolDisplay first = PoolDisplay::shows;
};

struct Settings {
    std::uint64_t seed = 1;
    std::size_t nodes = 3;
    /// Initial clock error of each node.
    std::vector<Duration> skews{};
    std::size_t shards = 1;
    std::size_t submitters = 2;
    std::size_t endpoints = 2;
    Duration block_interval = std::chrono::seconds(2);
    NetworkOptions network{};
    /// The tip that endpoints suggest at normal speed. Zero in some runs, because no multiple of zero raises it.
    Wei tip{2'000'000'000};
    Latency endpoint_latency{};
    PoolPlan pools{};
    DatabaseOptions database{};
    lane::HostOptions host{};
    /// How often a node sends its heartbeat, and how often it polls for work.
    Duration heartbeat = std::chrono::seconds(1);
    Duration poll_interval = std::chrono::seconds(1);
    lane::LaneOptions lane{};
    /// The stuck policy's decision.
    StuckDecision stuck_decision = StuckDecision::wait;
    /// A submitter's initial funds, and the amount of each top-up. None: more than it can spend.
    std::optional<Uint256> initial_balance{};
    std::optional<ConnectorPlan> connector{};
    FaultPlan faults{};
    Workload workload{};
    /// How long faults are injected; after that everything must settle.
    Duration fault_phase = std::chrono::minutes(4);
    /// The time limit for settling: a few leases and resends, and enough blocks until everything is final.
    Duration settling_limit{};
    Mutant mutant = Mutant::none;
    /// The program's commit. The message of a failed assertion contains it, because nothing else can be reported then.
    std::string commit = "unknown";

    /// Whether all clocks are exact during the whole run.
    [[nodiscard]] bool clocks_agree() const;
    [[nodiscard]] static Settings from_seed(std::uint64_t seed);
    /// Adds a period in which no node can work; other faults that move lanes between nodes are switched off.
    void plan_common_outage(CommonOutage outage);
    /// What the first endpoint shows of its pool.
    [[nodiscard]] PoolDisplay first_display() const;
    /// Another system sends from the same keys.
    void share_keys(Duration between_sends);
    /// Breaks a rule on purpose.
    void enable_mutant(Mutant rule);
    /// Several lines.
    [[nodiscard]] std::string describe() const;
    /// The command that repeats this run with a program of the same commit.
    [[nodiscard]] std::string replay_command() const;
};

}  // namespace fencepost::sim
