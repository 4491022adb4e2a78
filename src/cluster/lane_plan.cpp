#include "cluster/lane_plan.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::cluster {

LanePlan::LanePlan(NodeId self, CanServe can_serve, PlanOptions options)
    : self_(std::move(self)),
      can_serve_(std::move(can_serve)),
      options_(options) {}

LaneActions LanePlan::after(const ClusterView& sight) {
    update_members(sight);
    update_lanes(sight);

    LaneActions steps;
    std::set<SubmitterId> with_work;
    std::map<SubmitterId, Instant> waited = std::exchange(waiting_, {});
    held_elsewhere_.clear();
    for (const auto& unfinished : sight.unfinished) {
        const auto& submitter = unfinished.submitter;
        with_work.insert(submitter);
        // Only submitters that still wait keep their waiting time.
        if (const auto since = waited.find(submitter); since != waited.end()) waiting_.insert(*since);
        if (!should_open(unfinished, sight.at)) continue;
        local_lanes_.insert(submitter);
        steps.open.push_back(submitter);
    }
    for (const auto& lane : sight.lanes) {
        if (!lane.serving || lane.releasing) continue;
        const bool has_work = with_work.contains(lane.submitter);
        if (!should_release(lane, has_work, sight.at)) {
            if (has_work && !is_able(lane.submitter) && !is_any_node_able(lane.submitter))
                steps.kept.push_back(lane.submitter);
            continue;
        }
        local_lanes_.erase(lane.submitter);
        serving_.erase(lane.submitter);
        steps.release.push_back(lane.submitter);
    }
    update_unserved(sight, steps);
    return steps;
}

void LanePlan::update_members(const ClusterView& sight) {
    std::vector<NodeId> members;
    fresh_.clear();
    abilities_.clear();
    for (const auto& peer : sight.peers) {
        members.push_back(peer.id);
        abilities_[peer.id] = peer.ability;
        if (peer.fresh) fresh_.insert(peer.id);
    }
    if (members == members_) return;
    members_ = std::move(members);
    members_since_ = sight.at;
    placement_ = Placement(members_);
    const auto is_gone = [this](const auto& entry) {
        return std::ranges::find(members_, entry.first) == members_.end();
    };
    for (auto& [submitter, nodes] : passed_over_)
        std::erase_if(nodes, is_gone);
    std::erase_if(passed_over_, [](const auto& entry) { return entry.second.empty(); });
}

void LanePlan::update_lanes(const ClusterView& sight) {
    local_lanes_.clear();
    serving_.clear();
    for (const auto& lane : sight.lanes) {
        local_lanes_.insert(lane.submitter);
        if (lane.serving) serving_.insert(lane.submitter);
    }
    std::erase_if(idle_, [this](const auto& entry) { return !local_lanes_.contains(entry.first); });
}

void LanePlan::update_held(const UnfinishedSubmitter& unfinished) {
    held_elsewhere_.insert(unfinished.submitter);
    const auto passed_over = passed_over_.find(unfinished.submitter);
    if (passed_over != passed_over_.end()) passed_over->second.erase(unfinished.lease->owner);
}

void LanePlan::update_unserved(const ClusterView& sight, LaneActions& steps) {
    auto before = std::exchange(unserved_, {});
    for (const auto& unfinished : sight.unfinished) {
        if (unfinished.held) continue;
        const auto known = before.find(unfinished.submitter);
        auto& now = unserved_[unfinished.submitter] = known == before.end() ? Unserved{sight.at} : known->second;
        if (now.reported || sight.at - now.since < options_.unserved_after) continue;
        now.reported = true;
        steps.unserved.push_back(unfinished.submitter);
    }
}

std::optional<bool> LanePlan::reported_ability(const NodeId& node, const SubmitterId& submitter) const {
    const auto known = abilities_.find(node);
    if (known == abilities_.end() || known->second.chains.empty()) return std::nullopt;
    const auto& [chains, signers] = known->second;
    const auto chain = chains.find(submitter.chain());
    if (chain == chains.end() || !chain->second.ability.is_able()) return false;
    const auto signer = signers.find(submitter);
    return signer == signers.end() || signer->second.is_able();
}

bool LanePlan::is_any_node_able(const SubmitterId& submitter) const {
    return std::ranges::any_of(members_,
                               [&](const auto& node) { return reported_ability(node, submitter).value_or(false); });
}

// A node that does not report abilities (an older version) counts as able.
std::vector<NodeId> LanePlan::ranked(const SubmitterId& submitter) const {
    std::vector<NodeId> able;
    std::vector<NodeId> others;
    for (auto& node : placement_.ranked(submitter))
        (reported_ability(node, submitter).value_or(true) ? able : others).push_back(std::move(node));
    able.insert(able.end(), others.begin(), others.end());
    return able;
}

std::optional<NodeId> LanePlan::placed_on(const SubmitterId& submitter) const {
    const auto nodes = ranked(submitter);
    return nodes.empty() ? std::nullopt : std::optional(nodes.front());
}

// When a chain produces no blocks, each node detects it at a different time: a node without a later block than ours is
// no better choice.
bool LanePlan::has_later_head(const NodeId& node, const SubmitterId& submitter) const {
    const auto& our_chains = abilities_.at(self_).chains;
    const auto ours = our_chains.find(submitter.chain());
    if (ours == our_chains.end() || ours->second.ability.cause != AbilityCause::no_head) return true;
    return abilities_.at(node).chains.at(submitter.chain()).head > ours->second.head;
}

bool LanePlan::is_passed_over(const NodeId& node, const SubmitterId& submitter, Instant now) const {
    const auto nodes = passed_over_.find(submitter);
    if (nodes == passed_over_.end()) return false;
    const auto since = nodes->second.find(node);
    if (since == nodes->second.end()) return false;
    return is_able(submitter) || now - since->second < options_.offer_again_after;
}

bool LanePlan::can_hand_over_to(const NodeId& node, const SubmitterId& submitter, Instant now) const {
    if (node == self_ || !fresh_.contains(node) || is_passed_over(node, submitter, now)) return false;
    if (is_able(submitter)) return reported_ability(node, submitter).value_or(true);
    return reported_ability(node, submitter).value_or(false) && has_later_head(node, submitter);
}

// Without the nodes that we have already waited for in vain.
std::vector<NodeId> LanePlan::higher_ranked_nodes(const SubmitterId& submitter) const {
    auto nodes = ranked(submitter);
    nodes.erase(std::ranges::find(nodes, self_), nodes.end());
    if (const auto passed_over = passed_over_.find(submitter); passed_over != passed_over_.end())
        std::erase_if(nodes, [&](const auto& node) { return passed_over->second.contains(node); });
    return nodes;
}

// Heartbeats are not considered: only an expired or released lease can be taken, and the store decides that.
bool LanePlan::should_open(const UnfinishedSubmitter& unfinished, Instant now) {
    const auto& submitter = unfinished.submitter;
    const bool is_held = unfinished.held && unfinished.lease && unfinished.lease->owner != self_;
    if (is_held) update_held(unfinished);
    if (is_held || local_lanes_.contains(submitter) || !can_serve_(submitter)) {
        waiting_.erase(submitter);
        return false;
    }
    const auto since = waiting_.try_emplace(submitter, now).first->second;
    const auto first = higher_ranked_nodes(submitter);
    if (now - since < options_.stand_in_after * first.size()) return false;
    for (const auto& node : first)
        passed_over_[submitter].insert_or_assign(node, now);
    waiting_.erase(submitter);
    return true;
}

// A key may be removed while its lane is open.
bool LanePlan::should_release(const lane::OpenLane& lane, bool has_work, Instant now) {
    return is_idle_long_enough(lane.submitter, has_work, now) || should_hand_over(lane.submitter, now) ||
           !can_serve_(lane.submitter);
}

bool LanePlan::should_hand_over(const SubmitterId& submitter, Instant now) const {
    if (now - members_since_ < options_.stable_for) return false;
    const auto nodes = ranked(submitter);
    // An able node hands a lane only to the node it is placed on; a node that is not able hands it to any able node.
    if (is_able(submitter)) return can_hand_over_to(nodes.front(), submitter, now);
    return std::ranges::any_of(nodes, [&](const auto& node) { return can_hand_over_to(node, submitter, now); });
}

bool LanePlan::is_idle_long_enough(const SubmitterId& submitter, bool has_work, Instant now) {
    if (has_work) {
        idle_.erase(submitter);
        return false;
    }
    return now - idle_.try_emplace(submitter, now).first->second >= options_.idle_release_after;
}

bool LanePlan::is_placed_here(const SubmitterId& submitter) const {
    return placed_on(submitter) == self_ && can_serve_(submitter);
}

}  // namespace fencepost::cluster
