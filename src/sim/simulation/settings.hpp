// Everything about a run follows from its seed: the size of the cluster, the chain it works on, how often what goes
// wrong, and what callers ask. Printed first, so that a failing run says what it was.
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
inline const Uint256 plenty = Uint256(1'000'000'000) * Uint256(1'000'000'000) * Uint256(100'000);

/// What the first node alone cannot use from some moment on. Nobody puts it right, also not for the end of the run:
/// everything must settle all the same, since the others can.
enum class LastingFault { none, chain, signer };

/// What no node can use for ten minutes, while nothing else takes a lane from its node: its chain, its signer, or nine
/// in ten answers of every endpoint.
enum class CommonOutage { none, chain, signer, answers };
inline constexpr Duration common_outage_lasts = std::chrono::minutes(10);

/// How long, on average, from one fault of a kind to the next; zero for never.
struct FaultPlan {
    Duration crash{};
    Duration orderly_leave{};
    Duration pause{};
    Duration clock_jump{};
    Duration partition{};
    Duration database_outage{};
    /// The database's clock is set forward by an hour, or back for a while: a standby whose clock is slow.
    Duration database_clock_step{};
    Duration endpoint_outage{};
    Duration endpoint_lag{};
    Duration eviction{};
    Duration reorg{};
    Duration fee_spike{};
    Duration outside_use{};
    /// An endpoint refuses whatever it is sent, and says that it always will.
    Duration refusal{};
    /// Somebody fills up the purses; never where they were full to begin with.
    Duration pay_day{};
    /// The other system that uses shared keys sends something; also at nonces that we gave back, for too little, which
    /// it gives up again, so that holes are left.
    Duration other_system{};
    /// The deepest reorg; may be beyond the depth that confirms.
    std::uint64_t deepest_reorg = 1;
    /// One in so many wake-ups between nodes; 1 for all, 0 for none.
    std::uint64_t lost_wakeups_one_in = 0;
    DatabaseFaults database{};
    FaultRates chain{};
    LastingFault lasting = LastingFault::none;
    /// The first endpoint answers one call in ten, to the end of the run.
    bool one_answer_in_ten = false;
    CommonOutage common = CommonOutage::none;
};

struct Workload {
    std::size_t requests = 50;
    /// Between two requests, on average.
    Duration pause = std::chrono::seconds(1);
    /// So many come at once, for one submitter.
    std::size_t burst = 1;
    /// How long a client waits for an answer before it asks another node.
    Duration patience = std::chrono::seconds(3);
    /// Of a hundred requests so many are sent to two nodes at once.
    std::uint32_t doubled_percent = 10;
    /// Of a hundred intents so many revert on the chain.
    std::uint32_t reverting_percent = 5;
    /// Of a hundred intents so many are refused by every node.
    std::uint32_t hopeless_percent = 0;
    /// Between two commands of an operator, on average.
    Duration command_pause = std::chrono::minutes(1);
    /// Between two callers who cancel or speed up what they asked for.
    Duration change_of_mind_pause{};
};

/// The first submitter's key is held by a node of the chain.
struct ConnectorPlan {
    ConnectorAbilities abilities{};
    ConnectorFaultRates faults{};
};

/// What endpoints have room for, what they say when there is none, and what they show of what they hold.
struct PoolPlan {
    MempoolOptions limits{};
    TemporaryRefusals refusals = TemporaryRefusals::honest;
    /// Of the first endpoint. The others are plain ones.
    PoolDisplay first = PoolDisplay::shows;
};

struct Settings {
    std::uint64_t seed = 1;
    std::size_t nodes = 3;
    /// By how much each node's clock is wrong when it starts.
    std::vector<Duration> skews{};
    std::size_t shards = 1;
    std::size_t submitters = 2;
    std::size_t endpoints = 2;
    Duration block_interval = std::chrono::seconds(2);
    NetworkOptions network{};
    /// What endpoints suggest at normal speed; nothing in some runs, for nothing can be multiplied as often as one
    /// likes.
    Wei tip{2'000'000'000};
    Latency endpoint_latency{};
    PoolPlan pools{};
    DatabaseOptions database{};
    lane::HostOptions host{};
    /// How often a node says that it is there, and how often it looks by itself for what to do.
    Duration heartbeat = std::chrono::seconds(1);
    Duration look = std::chrono::seconds(1);
    lane::LaneOptions lane{};
    /// What is decided about transactions that are stuck.
    StuckDecision stuck_decision = StuckDecision::wait;
    /// What a submitter begins with, and gets on each pay day. None: more than it can spend.
    std::optional<Uint256> purse{};
    std::optional<ConnectorPlan> connector{};
    FaultPlan faults{};
    Workload workload{};
    /// How long things go wrong; after that everything must settle.
    Duration stormy = std::chrono::minutes(4);
    /// And in this time: a few leases, resends and blocks until everything is final.
    Duration calm{};
    Mutant mutant = Mutant::none;
    /// Of the program: named where an assertion ends the run, and with it everything that could tell more.
    std::string commit = "unknown";

    /// No clock is ever wrong.
    [[nodiscard]] bool clocks_agree() const;
    [[nodiscard]] static Settings from_seed(std::uint64_t seed);
    /// A run with a time in which no node can work, and nothing else takes lanes from their nodes.
    void plan_common_outage(CommonOutage outage);
    /// What the first endpoint shows of its pool.
    [[nodiscard]] PoolDisplay first_display() const;
    /// Another system sends from the same keys.
    void share_keys(Duration between_sends);
    /// Breaks a rule on purpose.
    void break_with(Mutant rule);
    /// Several lines.
    [[nodiscard]] std::string describe() const;
    /// What runs the same again, with a program of the same commit.
    [[nodiscard]] std::string replay_command() const;
};

}  // namespace fencepost::sim
