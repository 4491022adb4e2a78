// One node's part in the cluster: it says that it is there, looks which submitters have work and who else is there, and
// opens and gives away lanes accordingly. All nodes do the same and none commands another; what they agree on is in the
// database, and where they disagree for a while the leases keep them apart.
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
    /// How often it looks by itself.
    Duration look_every = std::chrono::seconds(1);
    /// However often it is woken, two looks are so far apart.
    Duration look_pause = std::chrono::milliseconds(100);
};

/// Everything is called on one executor.
class ClusterNode {
public:
    struct Parts {
        Queries& queries;
        Nodes& nodes;
        Wakeups& wakeups;
        /// Only can_sign_for() is called, on the executor of this node. The lanes sign on threads of their own: a
        /// signer that may not be asked from several threads (RemoteSigner) is given here as an instance of its own.
        const Signer& signer;
        const lane::LaneShards& shards;
        Clock& clock;
        Log& log;
        /// Who signs and sends for some submitters; only sends_for() is called.
        const SendingConnector* connector = nullptr;
        /// None: the log alone hears of lanes that no node is able to go on with.
        Alerts* alerts = nullptr;
    };
    /// How a submitter's lane is run; nothing when this node has no connector for its chain.
    using LaneOptionsOf = std::function<std::optional<lane::LaneOptions>(const SubmitterId&)>;

    /// `self` as of new_incarnation(), and the same that the lane hosts write under. `address` is where the node's API
    /// answers.
    ClusterNode(const Executor& executor, NodeId self, std::string address, Parts parts, LaneOptionsOf lane_options,
                ClusterOptions options = {});

    /// Until it is cancelled. Lanes and registration are left as they are then, as after a crash; leave() gives them
    /// back first.
    [[nodiscard]] Task<void> run();

    /// Whether this node has the submitter's lane, or is the one to open it. A guess that may be a moment old: only the
    /// lease says who may write.
    [[nodiscard]] bool is_home_of(const SubmitterId& submitter) const;

    /// The node that is to open the submitter's lane while nobody has it; none before the first look.
    [[nodiscard]] std::optional<NodeId> placed_on(const SubmitterId& submitter) const {
        return plan_.placed_on(submitter);
    }

    /// What this node is able to work with, as of its last look at its lanes.
    [[nodiscard]] const NodeAbility& ability() const { return registry_.ability(); }

    /// Work for this submitter was committed by this node: whoever has its lane is woken.
    void accepted(const SubmitterId& submitter);

    /// Opens no more lanes, tells the others, and returns when every lane has been drained and its lease given back.
    /// The others take over meanwhile, lane by lane.
    [[nodiscard]] Task<void> leave();

private:
    [[nodiscard]] bool has_key(const SubmitterId& submitter) const;
    [[nodiscard]] bool can_serve(const SubmitterId& submitter) const;
    [[nodiscard]] Task<void> keep_looking();
    [[nodiscard]] Task<void> pause_after(Instant look);
    [[nodiscard]] Task<void> look();
    [[nodiscard]] Task<Result<Sight, StoreError>> see();
    [[nodiscard]] Task<std::vector<lane::OpenLane>> see_lanes();
    void see_keys(const std::vector<UnfinishedSubmitter>& unfinished);
    void tell_of_ability();
    void tell_of_kept(const std::vector<SubmitterId>& kept);
    [[nodiscard]] Task<void> listen();
    [[nodiscard]] Task<void> hear();
    [[nodiscard]] Task<void> keep_beating();
    /// A mistake in one round of what the node does again and again ends that round only.
    [[nodiscard]] Task<void> guarded(Task<void> round);
    void heard(const SubmitterId& submitter);
    void open(const SubmitterId& submitter);
    void note(std::optional<StoreError> error);

    Parts parts_;
    LaneOptionsOf lane_options_;
    ClusterOptions options_;
    Registry registry_;
    LanePlan plan_;
    AbilityTracker ability_;
    std::set<SubmitterId> without_key_;
    std::map<ChainRef, bool> told_able_;
    std::set<SubmitterId> told_kept_;
    Wakeup look_now_;
    TaskGroup tasks_;
    bool leaving_ = false;
    bool blind_ = false;
};

}  // namespace fencepost::cluster
