#include "cluster/lane_plan.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::cluster {

LanePlan::LanePlan(NodeId self, CanServe can_serve, PlanOptions options)
    : self_(std::move(self)),
      can_serve_(std::move(can_serve)),
      options_(options) {}

LaneSteps LanePlan::after(const Sight& sight) {
    see_members(sight);
    see_lanes(sight);

    LaneSteps steps;
    std::set<SubmitterId> with_work;
    std::map<SubmitterId, Instant> waited = std::exchange(waiting_, {});
    elsewhere_.clear();
    for (const auto& unfinished : sight.unfinished) {
        const auto& submitter = unfinished.submitter;
        with_work.insert(submitter);
        // Only for those that still wait does the time go on.
        if (const auto since = waited.find(submitter); since != waited.end()) waiting_.insert(*since);
        if (!should_open(unfinished, sight.at)) continue;
        ours_.insert(submitter);
        steps.open.push_back(submitter);
    }
    for (const auto& lane : sight.lanes) {
        if (!lane.serving || lane.releasing) continue;
        if (!should_give_back(lane, with_work.contains(lane.submitter), sight.at)) continue;
        ours_.erase(lane.submitter);
        serving_.erase(lane.submitter);
        steps.release.push_back(lane.submitter);
    }
    see_unserved(sight, steps);
    return steps;
}

void LanePlan::see_members(const Sight& sight) {
    std::vector<NodeId> members;
    fresh_.clear();
    for (const auto& peer : sight.peers) {
        members.push_back(peer.id);
        if (peer.fresh) fresh_.insert(peer.id);
    }
    if (members == members_) return;
    members_ = std::move(members);
    members_since_ = sight.at;
    placement_ = Placement(members_);
    for (auto& [submitter, nodes] : passed_over_)
        std::erase_if(nodes, [this](const auto& node) { return std::ranges::find(members_, node) == members_.end(); });
    std::erase_if(passed_over_, [](const auto& entry) { return entry.second.empty(); });
}

void LanePlan::see_lanes(const Sight& sight) {
    ours_.clear();
    serving_.clear();
    resting_.clear();
    for (const auto& lane : sight.lanes) {
        (lane.resting ? resting_ : ours_).insert(lane.submitter);
        if (lane.serving) serving_.insert(lane.submitter);
    }
    std::erase_if(idle_, [this](const auto& entry) { return !ours_.contains(entry.first); });
}

void LanePlan::see_held(const UnfinishedSubmitter& unfinished) {
    elsewhere_.insert(unfinished.submitter);
    const auto passed_over = passed_over_.find(unfinished.submitter);
    if (passed_over != passed_over_.end()) passed_over->second.erase(unfinished.lease->owner);
}

void LanePlan::see_unserved(const Sight& sight, LaneSteps& steps) {
    auto before = std::exchange(unserved_, {});
    for (const auto& unfinished : sight.unfinished) {
        if (unfinished.held) continue;
        const auto known = before.find(unfinished.submitter);
        auto& now = unserved_[unfinished.submitter] = known == before.end() ? Unserved{sight.at} : known->second;
        if (now.told || sight.at - now.since < options_.unserved_after) continue;
        now.told = true;
        steps.unserved.push_back(unfinished.submitter);
    }
}

// Who is alone has nobody to leave it to.
bool LanePlan::can_open(const SubmitterId& submitter) const {
    return can_serve_(submitter) && (members_.size() <= 1 || !resting_.contains(submitter));
}

// Without those that we have waited for in vain already.
std::vector<NodeId> LanePlan::those_before_us(const SubmitterId& submitter) const {
    auto nodes = placement_.ranked(submitter);
    nodes.erase(std::ranges::find(nodes, self_), nodes.end());
    if (const auto passed_over = passed_over_.find(submitter); passed_over != passed_over_.end())
        std::erase_if(nodes, [&](const auto& node) { return passed_over->second.contains(node); });
    return nodes;
}

// A node's heartbeat plays no part: only a lease that expired or was released is taken, and the store decides that.
bool LanePlan::should_open(const UnfinishedSubmitter& unfinished, Instant now) {
    const auto& submitter = unfinished.submitter;
    const bool is_held = unfinished.held && unfinished.lease && unfinished.lease->owner != self_;
    if (is_held) see_held(unfinished);
    if (is_held || ours_.contains(submitter) || !can_open(submitter)) {
        waiting_.erase(submitter);
        return false;
    }
    const auto since = waiting_.try_emplace(submitter, now).first->second;
    const auto first = those_before_us(submitter);
    if (now - since < options_.stand_in_after * first.size()) return false;
    if (!first.empty()) passed_over_[submitter].insert(first.begin(), first.end());
    waiting_.erase(submitter);
    return true;
}

// A key may be taken away while its lane is open.
bool LanePlan::should_give_back(const lane::OpenLane& lane, bool has_work, Instant now) {
    return idled_long_enough(lane.submitter, has_work, now) || should_hand_over(lane.submitter, now) ||
           !can_serve_(lane.submitter);
}

bool LanePlan::should_hand_over(const SubmitterId& submitter, Instant now) const {
    if (now - members_since_ < options_.steady_for) return false;
    const auto first = placement_.first(submitter);
    if (!first || *first == self_ || !fresh_.contains(*first)) return false;
    const auto passed_over = passed_over_.find(submitter);
    return passed_over == passed_over_.end() || !passed_over->second.contains(*first);
}

bool LanePlan::idled_long_enough(const SubmitterId& submitter, bool has_work, Instant now) {
    if (has_work) {
        idle_.erase(submitter);
        return false;
    }
    return now - idle_.try_emplace(submitter, now).first->second >= options_.idle_release_after;
}

bool LanePlan::is_placed_here(const SubmitterId& submitter) const {
    return placement_.first(submitter) == self_ && can_open(submitter);
}

}  // namespace fencepost::cluster
