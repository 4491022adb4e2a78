// One process of the simulated cluster: the real lane and cluster code over a simulated database, chain and network.
// Each start is a new incarnation, as for a restarted process.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cluster/cluster_node.hpp"
#include "cluster/node_identity.hpp"
#include "lane/bump/policies.hpp"
#include "lane/host/lane_host.hpp"
#include "lane/host/lane_shards.hpp"
#include "lane/prepare/builder.hpp"
#include "ports/alerts.hpp"
#include "ports/log.hpp"
#include "sim/chain/sim_signer.hpp"
#include "sim/sim_wakeups.hpp"
#include "sim/simulation/mutated_connector.hpp"
#include "sim/simulation/mutated_parts.hpp"
#include "sim/simulation/own_keys_signer.hpp"
#include "sim/simulation/settings.hpp"
#include "sim/store/sim_store.hpp"

namespace fencepost::sim {

class SimulatedNode {
public:
    struct Dependencies {
        World& world;
        SimNetwork& network;
        SimDatabase& database;
        SimSigner& signer;
        SimKeyHolder& key_holder;
        WakeupHub& wakeups;
        Telemetry& telemetry;
        Log& log;
        Alerts& alerts;
        const Settings& settings;
        /// Called when a due wake-up was missed.
        std::function<void(const SubmitterId&, const std::string&)> missed_wake_up{};
        /// Called when the next owner of a lane would lack information that this owner has.
        std::function<void(const SubmitterId&, const std::string&)> forgotten{};
    };
    /// What the API would answer; an error when the database gave no answer.
    using Reply = std::function<void(Result<AcceptAnswer, StoreError>)>;

    SimulatedNode(const Dependencies& parts, const std::string& name);

    [[nodiscard]] SimNode& process() { return process_; }

    /// A caller's request arrives. The reply runs on this node, or never.
    void offer(NewIntent intent, Reply reply);
    /// An operator's command arrives.
    void post(Command command);
    /// Shuts down gracefully: drains, releases the leases and deregisters.
    void leave();
    [[nodiscard]] bool is_leaving() const { return leaving_; }
    /// The new incarnation after a restart is not affected; Cluster breaks its signer again.
    void break_signer() { signer_.break_down(); }
    void repair_signer() { signer_.repair(); }
    /// Everything that waits: tasks and timers of the process, and the queues of its components.
    [[nodiscard]] std::size_t backlog() const;

private:
    [[nodiscard]] std::vector<std::unique_ptr<lane::LaneHost>> make_hosts(const Dependencies& parts);
    [[nodiscard]] lane::LaneShards make_shards();
    [[nodiscard]] Task<void> handle(NewIntent intent, Reply reply);
    [[nodiscard]] Task<void> accept_copy(NewIntent intent);
    [[nodiscard]] Task<void> handle(Command command);

    World& world_;
    Mutant mutant_;
    SeededRandom random_;
    NodeId id_;
    SimNode& process_;
    SimClock clock_;
    SimStore store_;
    MutatedChain chain_;
    MutatedLaneStore lane_store_;
    SimWakeups wakeups_;
    MutatedConnector connector_;
    OwnKeysSigner signer_;
    lane::AlwaysDecide stuck_policy_;
    lane::IdentityBuilder builder_;
    std::vector<std::unique_ptr<lane::LaneHost>> hosts_;
    lane::LaneShards shards_;
    cluster::ClusterNode cluster_;
    bool leaving_ = false;
};

}  // namespace fencepost::sim
