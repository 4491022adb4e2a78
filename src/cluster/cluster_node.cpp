#include "cluster/cluster_node.hpp"

#include <algorithm>
#include <utility>

#include "lane/host/run_guarded.hpp"

namespace fencepost::cluster {
namespace {

// Limits the size of a heartbeat when keys are spread over nodes. A submitter that is not listed counts as able: a
// wrong guess costs latency, never correctness.
constexpr std::size_t most_without_key = 500;

}  // namespace

ClusterNode::ClusterNode(const Executor& executor, NodeId self, std::string address, Parts parts,
                         LaneOptionsOf lane_options, ClusterOptions options)
    : parts_(parts),
      lane_options_(std::move(lane_options)),
      options_(options),
      registry_(executor, self, std::move(address), parts.nodes, parts.clock, options.registry),
      plan_(
          std::move(self), [this](const SubmitterId& submitter) { return can_serve(submitter); }, options.plan),
      ability_(parts.clock.monotonic(), options.ability),
      look_now_(executor),
      tasks_(executor) {}

bool ClusterNode::has_key(const SubmitterId& submitter) const {
    const bool has_connector = parts_.connector != nullptr && parts_.connector->sends_for(submitter);
    return has_connector || parts_.signer.can_sign_for(submitter);
}

bool ClusterNode::can_serve(const SubmitterId& submitter) const {
    return has_key(submitter) && lane_options_(submitter).has_value();
}

Task<void> ClusterNode::run() {
    tasks_.spawn(keep_beating());
    tasks_.spawn(listen());
    tasks_.spawn(keep_looking());
    co_await tasks_.join();
}

bool ClusterNode::is_home_of(const SubmitterId& submitter) const {
    return plan_.is_ours(submitter) || (!plan_.is_elsewhere(submitter) && plan_.is_placed_here(submitter));
}

void ClusterNode::accepted(const SubmitterId& submitter) {
    if (!leaving_ && plan_.is_ours(submitter)) {
        parts_.shards.wake(submitter);
    } else if (!leaving_ && !plan_.is_elsewhere(submitter) && plan_.is_placed_here(submitter)) {
        open(submitter);
    }
    // Also while our lane is still opening: another node may still hold an idle lane, and then ours ends at once.
    if (leaving_ || !plan_.is_served_here(submitter)) parts_.wakeups.announce(submitter);
}

void ClusterNode::open(const SubmitterId& submitter) {
    plan_.open_now(submitter);
    parts_.shards.open(submitter, lane_options_(submitter).value());
}

Task<void> ClusterNode::leave() {
    leaving_ = true;
    // First, so that the other nodes do not assign our released lanes back to us.
    co_await registry_.leave();
    co_await parts_.shards.release_all(&parts_.clock);
}

Task<void> ClusterNode::keep_looking() {
    while (!leaving_) {
        const auto began = parts_.clock.monotonic();
        co_await guarded(look());
        co_await pause_after(began);
    }
}

Task<void> ClusterNode::pause_after(Instant look) {
    co_await parts_.clock.wait_until(&look_now_, look + options_.look_every);
    const auto earliest = look + options_.look_pause;
    if (parts_.clock.monotonic() < earliest) co_await parts_.clock.sleep_until(earliest);
}

Task<void> ClusterNode::look() {
    const auto sight = co_await see();
    note(sight ? std::nullopt : std::optional(sight.error()));
    if (!sight || leaving_) co_return;
    const auto steps = plan_.after(*sight);
    for (const auto& submitter : steps.release)
        parts_.shards.release(submitter);
    for (const auto& submitter : steps.open)
        open(submitter);
    for (const auto& submitter : steps.unserved) {
        parts_.log.write(
            Severity::warning,
            "No node serves a submitter that has work: check that a node has its key and reaches its chain",
            {{"submitter", submitter.to_string()}});
    }
    tell_of_kept(steps.kept);
}

// Also during a database outage: the state of the chains is observed here.
Task<std::vector<lane::OpenLane>> ClusterNode::see_lanes() {
    std::vector<lane::OpenLane> lanes;
    std::vector<lane::WorkRecord> work;
    for (auto& report : co_await parts_.shards.reports()) {
        lanes.insert(lanes.end(), report.lanes.begin(), report.lanes.end());
        work.push_back(std::move(report.work));
    }
    const auto now = parts_.clock.monotonic();
    ability_.see(work, without_key_, now);
    registry_.set_ability(ability_.ability(now, parts_.clock.unix_now()));
    tell_of_ability();
    co_return lanes;
}

// Only the keys that matter: those of submitters with work, whose lanes may have to move here.
void ClusterNode::see_keys(const std::vector<UnfinishedSubmitter>& unfinished) {
    without_key_.clear();
    for (const auto& one : unfinished) {
        if (without_key_.size() < most_without_key && !has_key(one.submitter)) without_key_.insert(one.submitter);
    }
}

void ClusterNode::tell_of_ability() {
    for (const auto& [chain, known] : registry_.ability().chains) {
        const bool able = known.ability.is_able();
        const auto [told, is_new] = told_able_.try_emplace(chain, able);
        if (is_new || told->second == able) continue;
        told->second = able;
        parts_.log.write(able ? Severity::info : Severity::warning,
                         able ? "Chain usable again" : "Chain not usable by this node",
                         {{"chain", chain.to_string()},
                          {"node", registry_.self().value()},
                          {"cause", able ? std::string("none") : std::string(name_of(*known.ability.cause))}});
    }
}

// Raised repeatedly while it lasts; the implementation of the port deduplicates.
void ClusterNode::tell_of_kept(const std::vector<SubmitterId>& kept) {
    std::erase_if(told_kept_, [&](const auto& known) { return std::ranges::find(kept, known) == kept.end(); });
    for (const auto& submitter : kept) {
        if (parts_.alerts != nullptr) {
            parts_.alerts->raise(alert_of(
                AlertKind::no_able_node, submitter,
                "No live node can use the chain and the key of this submitter; its transactions are on hold."));
        }
        if (!told_kept_.insert(submitter).second) continue;
        parts_.log.write(Severity::warning, "Lease kept: no live node can serve the submitter",
                         {{"submitter", submitter.to_string()}, {"node", registry_.self().value()}});
    }
}

Task<Result<Sight, StoreError>> ClusterNode::see() {
    auto lanes = co_await see_lanes();
    auto unfinished = co_await parts_.queries.unfinished_submitters();
    if (!unfinished) co_return err(unfinished.error());
    see_keys(*unfinished);
    auto peers = co_await registry_.live();
    if (!peers) co_return err(peers.error());
    co_return Sight{.at = parts_.clock.monotonic(),
                    .lanes = std::move(lanes),
                    .unfinished = std::move(*unfinished),
                    .peers = std::move(*peers)};
}

// Logged once per outage: meanwhile no lane is opened or handed over.
void ClusterNode::note(std::optional<StoreError> error) {
    if (error && !blind_) {
        parts_.log.write(Severity::warning, "Cluster state not readable",
                         {{"node", registry_.self().value()}, {"why", std::string(name_of(*error))}});
    }
    blind_ = error.has_value();
}

Task<void> ClusterNode::listen() {
    while (true)
        co_await guarded(hear());
}

Task<void> ClusterNode::hear() {
    const auto submitters = co_await parts_.wakeups.next();
    for (const auto& submitter : submitters)
        heard(submitter);
}

Task<void> ClusterNode::keep_beating() {
    while (!leaving_)
        co_await guarded(registry_.run());
}

Task<void> ClusterNode::guarded(Task<void> round) {
    const bool well = co_await lane::ends_well(&parts_.log, "Cluster task failed; retrying", registry_.self().value(),
                                               std::move(round));
    if (!well) co_await parts_.clock.sleep_for(options_.look_every);
}

// Nodes that neither have the lane nor should open it ignore the hint: every node receives the hints of every
// submitter.
void ClusterNode::heard(const SubmitterId& submitter) {
    if (leaving_) return;
    if (plan_.is_ours(submitter)) {
        parts_.shards.wake(submitter);
    } else if (!plan_.is_elsewhere(submitter) && plan_.is_placed_here(submitter)) {
        look_now_.ring();
    }
}

}  // namespace fencepost::cluster
