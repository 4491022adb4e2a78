// What a node does about its lanes after a look at the cluster: which it opens, and which it gives away. Plain rules
// over what was seen, without I/O. They decide who should serve a submitter; whether a node may is decided by the
// lease.
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
    /// A node of rank r opens a lane that the r nodes before it did not open for r times as long: they may lack its
    /// key, or hang.
    Duration stand_in_after = std::chrono::seconds(10);
    /// A lane is given back when the database had no work for it for so long.
    Duration idle_release_after = std::chrono::seconds(30);
    /// A lane is handed over only when the same nodes were there for so long. It is longer than a node that went silent
    /// counts as fresh, so that nothing is handed to a node that was only seen once.
    Duration steady_for = std::chrono::seconds(3);
    /// A node that is not able to work with a lane offers it again, after so long, to one that did not take it: that
    /// one may have been cut off for a moment, and nobody else can do the work.
    Duration offer_again_after = std::chrono::minutes(5);
    /// Work that nobody held a lease for so long is worth a warning: six leases, more than it takes to stand in.
    Duration unserved_after = std::chrono::seconds(60);
};

/// What one look saw. Lanes first, then the rest: a lane that ends in between is seen next time.
struct Sight {
    Instant at;
    std::vector<lane::OpenLane> lanes;
    std::vector<UnfinishedSubmitter> unfinished;
    std::vector<Peer> peers;
};

struct LaneSteps {
    std::vector<SubmitterId> open;
    std::vector<SubmitterId> release;
    /// Said once: nobody has served them for long, and nobody can tell from the outside why.
    std::vector<SubmitterId> unserved;
    /// They have work, and this node keeps them although it is not able to go on with them: no live node is.
    std::vector<SubmitterId> kept;
};

class LanePlan {
public:
    /// Whether this node could serve a submitter at all: it has the key and reaches the chain.
    using CanServe = std::function<bool(const SubmitterId&)>;

    LanePlan(NodeId self, CanServe can_serve, PlanOptions options = {});

    [[nodiscard]] LaneSteps after(const Sight& sight);

    // What is known between two looks.

    /// Its lane is open here, or about to be.
    [[nodiscard]] bool is_ours(const SubmitterId& submitter) const { return ours_.contains(submitter); }
    /// Its lane was open here when last seen. Until then it is only hoped for: the lease may be another node's, which
    /// shows only to those who look while there is work.
    [[nodiscard]] bool is_served_here(const SubmitterId& submitter) const { return serving_.contains(submitter); }
    /// Somebody else held its lease when last seen.
    [[nodiscard]] bool is_elsewhere(const SubmitterId& submitter) const { return elsewhere_.contains(submitter); }
    /// This node comes first for it, and could serve it.
    [[nodiscard]] bool is_placed_here(const SubmitterId& submitter) const;
    /// Who comes first for it; none before the first look.
    [[nodiscard]] std::optional<NodeId> placed_on(const SubmitterId& submitter) const;
    /// Its lane is opened without waiting for the next look.
    void open_now(const SubmitterId& submitter) { ours_.insert(submitter); }

private:
    void see_members(const Sight& sight);
    void see_lanes(const Sight& sight);
    void see_held(const UnfinishedSubmitter& unfinished);
    void see_unserved(const Sight& sight, LaneSteps& steps);
    /// Those that are able to serve it, then the others: where no node is able, all are treated alike.
    [[nodiscard]] std::vector<NodeId> ranked(const SubmitterId& submitter) const;
    /// Nothing: it does not say.
    [[nodiscard]] std::optional<bool> says_able(const NodeId& node, const SubmitterId& submitter) const;
    [[nodiscard]] bool is_able(const SubmitterId& submitter) const { return says_able(self_, submitter) != false; }
    [[nodiscard]] bool sees_more_than_we(const NodeId& node, const SubmitterId& submitter) const;
    [[nodiscard]] bool may_be_handed_to(const NodeId& node, const SubmitterId& submitter, Instant now) const;
    [[nodiscard]] bool is_passed_over(const NodeId& node, const SubmitterId& submitter, Instant now) const;
    [[nodiscard]] bool is_some_node_able(const SubmitterId& submitter) const;
    [[nodiscard]] std::vector<NodeId> those_before_us(const SubmitterId& submitter) const;
    [[nodiscard]] bool should_give_back(const lane::OpenLane& lane, bool has_work, Instant now);
    [[nodiscard]] bool should_open(const UnfinishedSubmitter& unfinished, Instant now);
    [[nodiscard]] bool should_hand_over(const SubmitterId& submitter, Instant now) const;
    [[nodiscard]] bool idled_long_enough(const SubmitterId& submitter, bool has_work, Instant now);

    NodeId self_;
    CanServe can_serve_;
    PlanOptions options_;

    std::vector<NodeId> members_;
    std::set<NodeId> fresh_;
    std::map<NodeId, NodeAbility> abilities_;
    Instant members_since_{};
    Placement placement_;

    std::set<SubmitterId> ours_;
    std::set<SubmitterId> serving_;
    std::set<SubmitterId> elsewhere_;
    /// Since when nobody holds them.
    std::map<SubmitterId, Instant> waiting_;
    std::map<SubmitterId, Instant> idle_;
    struct Unserved {
        Instant since;
        bool told = false;
    };
    std::map<SubmitterId, Unserved> unserved_;
    /// Who came before us and did not open it: it is not handed back to them, or it would come and go forever, and they
    /// are not waited for again. Until they leave, or are seen to serve it.
    std::map<SubmitterId, std::map<NodeId, Instant>> passed_over_;
};

}  // namespace fencepost::cluster
