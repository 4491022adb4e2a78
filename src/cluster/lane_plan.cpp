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
        const bool has_work = with_work.contains(lane.submitter);
        if (!idled_long_enough(lane.submitter, has_work, sight.at) && !should_hand_over(lane.submitter, sight.at))
            continue;
        ours_.erase(lane.submitter);
        steps.release.push_back(lane.submitter);
    }
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
}

void LanePlan::see_lanes(const Sight& sight) {
    ours_.clear();
    for (const auto& lane : sight.lanes)
        ours_.insert(lane.submitter);
    const auto is_gone = [this](const auto& entry) { return !ours_.contains(entry.first); };
    std::erase_if(idle_, is_gone);
    std::erase_if(passed_over_, is_gone);
}

// A node's heartbeat plays no part: only a lease that expired or was released is taken, and the store decides that.
bool LanePlan::should_open(const UnfinishedSubmitter& unfinished, Instant now) {
    const auto& submitter = unfinished.submitter;
    const bool is_held = unfinished.held && unfinished.lease && unfinished.lease->owner != self_;
    if (is_held) elsewhere_.insert(submitter);
    if (is_held || ours_.contains(submitter) || !can_serve_(submitter)) {
        waiting_.erase(submitter);
        return false;
    }
    const auto since = waiting_.try_emplace(submitter, now).first->second;
    const auto order = placement_.ranked(submitter);
    const auto us = std::ranges::find(order, self_);
    const auto rank = us - order.begin();
    if (now - since < options_.stand_in_after * rank) return false;
    if (rank > 0) passed_over_[submitter] = {order.begin(), us};
    waiting_.erase(submitter);
    return true;
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
    return placement_.first(submitter) == self_ && can_serve_(submitter);
}

}  // namespace fencepost::cluster
