// The cluster member of a node: it sends heartbeats, polls for submitters with work and for other nodes, and opens and
// hands over lanes accordingly. All nodes are equal; the shared state is in the database, and while nodes disagree, the
// leases keep them apart.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/async/task_group.hpp"
#include "base/async/wakeup.hpp"
#include "cluster/ability_tracker.hpp"
#include "cluster/lane_plan.hpp"
#include "cluster/registry.hpp"
#include "lane/host/lane_shards.hpp"
#include "ports/alerts.hpp"
#include "ports/log.hpp"
#include "ports/sending_connector.hpp"
#include "ports/signer.hpp"
#include "ports/wakeups.hpp"

namespace fencepost::cluster {

struct ClusterOptions {
    RegistryOptions registry{};
    PlanOptions plan{};
    AbilityOptions ability{};
    /// Interval between polls of the cluster state.
    Duration poll_interval = std::chrono::seconds(1);
    /// Minimum interval between two polls, however often it is woken.
    Duration min_poll_interval = std::chrono::milliseconds(100);
};

/// All methods are called on one executor.
class ClusterNode {
public:
    struct Dependencies {
        Queries& queries;
        Nodes& nodes;
        Wakeups& wakeups;
        /// Only can_sign_for() is called, on the executor of this node. The lanes sign on their own threads: a signer
        /// that is not thread-safe (RemoteSigner) gets a separate instance here.
        const Signer& signer;
        const lane::LaneShards& shards;
        Clock& clock;
        Log& log;
        /// The signing connector, if any; only sends_for() is called.
        const SendingConnector* connector = nullptr;
        /// None: lanes that no node can continue are only logged.
        Alerts* alerts = nullptr;
    };
    /// The lane options of a submitter; none when this node has no connector for its chain.
    using LaneOptionsOf = std::function<std::optional<lane::LaneOptions>(const SubmitterId&)>;

    /// `self` comes from new_incarnation() and is the id that the lane hosts write under. `address` is the address of
    /// the node's API.
    ClusterNode(const Executor& executor, NodeId self, std::string address, Dependencies dependencies,
                LaneOptionsOf lane_options, ClusterOptions options = {});

    /// Runs until cancelled. Lanes and registration then stay as after a crash, unless leave() was called before.
    [[nodiscard]] Task<void> run();

    /// Whether this node has the submitter's lane, or should open it. May be slightly outdated: only the lease grants
    /// the right to write.
    [[nodiscard]] bool is_home_of(const SubmitterId& submitter) const;

    /// The node that should open the submitter's lane while no node has it; none before the first poll.
    [[nodiscard]] std::optional<NodeId> placed_on(const SubmitterId& submitter) const {
        return plan_.placed_on(submitter);
    }

    /// The abilities of this node, as of the last poll.
    [[nodiscard]] const NodeAbility& ability() const { return registry_.ability(); }

    /// This node committed work for the submitter: wakes its lane, wherever it is.
    void accepted(const SubmitterId& submitter);

    /// Stops opening lanes, deregisters, and returns when every lane is drained and its lease released. The other nodes
    /// take over lane by lane meanwhile.
    [[nodiscard]] Task<void> leave();

private:
    [[nodiscard]] bool has_key(const SubmitterId& submitter) const;
    [[nodiscard]] bool can_serve(const SubmitterId& submitter) const;
    [[nodiscard]] Task<void> run_poll_loop();
    [[nodiscard]] Task<void> wait_for_next_poll(Instant poll);
    [[nodiscard]] Task<void> poll();
    [[nodiscard]] Task<Result<ClusterView, StoreError>> observe();
    [[nodiscard]] Task<std::vector<lane::OpenLane>> read_lanes();
    void update_missing_keys(const std::vector<UnfinishedSubmitter>& unfinished);
    void log_ability_changes();
    void alert_kept_lanes(const std::vector<SubmitterId>& kept);
    [[nodiscard]] Task<void> run_wakeup_loop();
    [[nodiscard]] Task<void> receive_wakeups();
    [[nodiscard]] Task<void> run_heartbeat_loop();
    /// An error in one round of a periodic task ends that round only.
    [[nodiscard]] Task<void> guarded(Task<void> round);
    void on_wakeup(const SubmitterId& submitter);
    void open(const SubmitterId& submitter);
    void log_store_error(std::optional<StoreError> error);

    Dependencies dependencies_;
    LaneOptionsOf lane_options_;
    ClusterOptions options_;
    Registry registry_;
    LanePlan plan_;
    AbilityTracker ability_;
    std::set<SubmitterId> without_key_;
    std::map<ChainRef, bool> reported_able_;
    std::set<SubmitterId> reported_kept_;
    Wakeup poll_now_;
    TaskGroup tasks_;
    bool leaving_ = false;
    bool store_error_logged_ = false;
};

}  // namespace fencepost::cluster
