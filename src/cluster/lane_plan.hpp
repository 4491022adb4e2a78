// Decides which lanes a node opens and hands over after a poll of the cluster. Pure rules without I/O. They decide
// which node should serve a submitter; the lease decides which node may.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "cluster/placement.hpp"
#include "cluster/registry.hpp"
#include "lane/host/lane_host.hpp"
#include "ports/store/queries.hpp"

namespace fencepost::cluster {

struct PlanOptions {
    /// A node of rank r opens a lane that the r nodes before it did not open within r times this duration: they may
    /// lack its key, or hang.
    Duration stand_in_after = std::chrono::seconds(10);
    /// A lane is released when the database had no work for it for this long.
    Duration idle_release_after = std::chrono::seconds(30);
    /// A lane is handed over only when the set of nodes was stable for this long. Longer than the freshness limit of
    /// heartbeats, so that nothing is handed to a node that was seen only once.
    Duration stable_for = std::chrono::seconds(3);
    /// A node that is not able to serve a lane offers it again, after this duration, to a node that did not take it:
    /// that node may have been unreachable briefly, and no other node can do the work.
    Duration offer_again_after = std::chrono::minutes(5);
    /// Work without a lease holder for this long is logged as a warning: six lease durations, more than a stand-in
    /// needs.
    Duration unserved_after = std::chrono::seconds(60);
};

/// The result of one poll. Lanes are read first: a lane that ends in between is seen in the next poll.
struct ClusterView {
    Instant at;
    std::vector<lane::OpenLane> lanes;
    std::vector<UnfinishedSubmitter> unfinished;
    std::vector<Peer> peers;
};

struct LaneActions {
    std::vector<SubmitterId> open;
    std::vector<SubmitterId> release;
    /// Reported once: no node has served them for long, for an unknown reason.
    std::vector<SubmitterId> unserved;
    /// They have work, and this node keeps them although it cannot serve them, because no live node can.
    std::vector<SubmitterId> kept;
};

class LanePlan {
public:
    /// Whether this node could serve a submitter at all: it has the key and a connector for the chain.
    using CanServe = std::function<bool(const SubmitterId&)>;

    LanePlan(NodeId self, CanServe can_serve, PlanOptions options = {});

    [[nodiscard]] LaneActions after(const ClusterView& sight);

    // State between two polls.

    /// Its lane is open here, or opening.
    [[nodiscard]] bool is_ours(const SubmitterId& submitter) const { return local_lanes_.contains(submitter); }
    /// Its lane was open here at the last poll. Before that, the lease may still be held by another node.
    [[nodiscard]] bool is_served_here(const SubmitterId& submitter) const { return serving_.contains(submitter); }
    /// Another node held its lease at the last poll.
    [[nodiscard]] bool is_held_elsewhere(const SubmitterId& submitter) const {
        return held_elsewhere_.contains(submitter);
    }
    /// This node ranks first for it, and could serve it.
    [[nodiscard]] bool is_placed_here(const SubmitterId& submitter) const;
    /// The node that ranks first for it; none before the first poll.
    [[nodiscard]] std::optional<NodeId> placed_on(const SubmitterId& submitter) const;
    /// Records that its lane is opened without waiting for the next poll.
    void open_now(const SubmitterId& submitter) { local_lanes_.insert(submitter); }

private:
    void update_members(const ClusterView& sight);
    void update_lanes(const ClusterView& sight);
    void update_held(const UnfinishedSubmitter& unfinished);
    void update_unserved(const ClusterView& sight, LaneActions& steps);
    /// Nodes that are able to serve it first, then the others; if no node is able, all are treated alike.
    [[nodiscard]] std::vector<NodeId> ranked(const SubmitterId& submitter) const;
    /// None: the node does not report it.
    [[nodiscard]] std::optional<bool> reported_ability(const NodeId& node, const SubmitterId& submitter) const;
    [[nodiscard]] bool is_able(const SubmitterId& submitter) const {
        return reported_ability(self_, submitter) != false;
    }
    [[nodiscard]] bool has_later_head(const NodeId& node, const SubmitterId& submitter) const;
    [[nodiscard]] bool can_hand_over_to(const NodeId& node, const SubmitterId& submitter, Instant now) const;
    [[nodiscard]] bool is_passed_over(const NodeId& node, const SubmitterId& submitter, Instant now) const;
    [[nodiscard]] bool is_any_node_able(const SubmitterId& submitter) const;
    [[nodiscard]] std::vector<NodeId> higher_ranked_nodes(const SubmitterId& submitter) const;
    [[nodiscard]] bool should_release(const lane::OpenLane& lane, bool has_work, Instant now);
    [[nodiscard]] bool should_open(const UnfinishedSubmitter& unfinished, Instant now);
    [[nodiscard]] bool should_hand_over(const SubmitterId& submitter, Instant now) const;
    [[nodiscard]] bool is_idle_long_enough(const SubmitterId& submitter, bool has_work, Instant now);

    NodeId self_;
    CanServe can_serve_;
    PlanOptions options_;

    std::vector<NodeId> members_;
    std::set<NodeId> fresh_;
    std::map<NodeId, NodeAbility> abilities_;
    Instant members_since_{};
    Placement placement_;

    std::set<SubmitterId> local_lanes_;
    std::set<SubmitterId> serving_;
    std::set<SubmitterId> held_elsewhere_;
    /// Since when no node holds them.
    std::map<SubmitterId, Instant> waiting_;
    std::map<SubmitterId, Instant> idle_;
    struct Unserved {
        Instant since;
        bool reported = false;
    };
    std::map<SubmitterId, Unserved> unserved_;
    /// Higher-ranked nodes that did not open it: it is not handed back to them, or it would move back and forth, and
    /// they are not waited for again. Until they leave, or serve it.
    std::map<SubmitterId, std::map<NodeId, Instant>> passed_over_;
};

}  // namespace fencepost::cluster
