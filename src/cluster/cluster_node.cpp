#include "cluster/cluster_node.hpp"

#include <algorithm>
#include <utility>

#include "lane/host/run_guarded.hpp"

namespace fencepost::cluster {
namespace {

// Limits the size of a heartbeat when keys are spread over nodes. A submitter that is not listed counts as able: a
// wrong guess costs latency, never correctness.
constexpr std::size_t max_listed_without_key = 500;

}  // namespace

ClusterNode::ClusterNode(const Executor& executor, NodeId self, std::string address, Dependencies dependencies,
                         LaneOptionsOf lane_options, ClusterOptions options)
    : dependencies_(dependencies),
      lane_options_(std::move(lane_options)),
      options_(options),
      registry_(executor, self, std::move(address), dependencies.nodes, dependencies.clock, options.registry),
      plan_(
          std::move(self), [this](const SubmitterId& submitter) { return can_serve(submitter); }, options.plan),
      ability_(dependencies.clock.monotonic(), options.ability),
      poll_now_(executor),
      tasks_(executor) {}

bool ClusterNode::has_key(const SubmitterId& submitter) const {
    const bool has_connector = dependencies_.connector != nullptr && dependencies_.connector->sends_for(submitter);
    return has_connector || dependencies_.signer.can_sign_for(submitter);
}

bool ClusterNode::can_serve(const SubmitterId& submitter) const {
    return has_key(submitter) && lane_options_(submitter).has_value();
}

Task<void> ClusterNode::run() {
    tasks_.spawn(run_heartbeat_loop());
    tasks_.spawn(run_wakeup_loop());
    tasks_.spawn(run_poll_loop());
    co_await tasks_.join();
}

bool ClusterNode::is_home_of(const SubmitterId& submitter) const {
    return plan_.is_ours(submitter) || (!plan_.is_held_elsewhere(submitter) && plan_.is_placed_here(submitter));
}

void ClusterNode::accepted(const SubmitterId& submitter) {
    if (!leaving_ && plan_.is_ours(submitter)) {
        dependencies_.shards.wake(submitter);
    } else if (!leaving_ && !plan_.is_held_elsewhere(submitter) && plan_.is_placed_here(submitter)) {
        open(submitter);
    }
    // Also while our lane is still opening: another node may still hold an idle lane, and then ours ends at once.
    if (leaving_ || !plan_.is_served_here(submitter)) dependencies_.wakeups.announce(submitter);
}

void ClusterNode::open(const SubmitterId& submitter) {
    plan_.open_now(submitter);
    dependencies_.shards.open(submitter, lane_options_(submitter).value());
}

Task<void> ClusterNode::leave() {
    leaving_ = true;
    // First, so that the other nodes do not assign our released lanes back to us.
    co_await registry_.leave();
    co_await dependencies_.shards.release_all(&dependencies_.clock);
}

Task<void> ClusterNode::run_poll_loop() {
    while (!leaving_) {
        const auto began = dependencies_.clock.monotonic();
        co_await guarded(poll());
        co_await wait_for_next_poll(began);
    }
}

Task<void> ClusterNode::wait_for_next_poll(Instant poll) {
    co_await dependencies_.clock.wait_until(&poll_now_, poll + options_.poll_interval);
    const auto earliest = poll + options_.min_poll_interval;
    if (dependencies_.clock.monotonic() < earliest) co_await dependencies_.clock.sleep_until(earliest);
}

Task<void> ClusterNode::poll() {
    const auto sight = co_await observe();
    log_store_error(sight ? std::nullopt : std::optional(sight.error()));
    if (!sight || leaving_) co_return;
    const auto steps = plan_.after(*sight);
    for (const auto& submitter : steps.release)
        dependencies_.shards.release(submitter);
    for (const auto& submitter : steps.open)
        open(submitter);
    for (const auto& submitter : steps.unserved) {
        dependencies_.log.write(
            Severity::warning,
            "No node serves a submitter that has work: check that a node has its key and reaches its chain",
            {{"submitter", submitter.to_string()}});
    }
    alert_kept_lanes(steps.kept);
}

// Also during a database outage: the state of the chains is observed here.
Task<std::vector<lane::OpenLane>> ClusterNode::read_lanes() {
    std::vector<lane::OpenLane> lanes;
    std::vector<lane::WorkRecord> work;
    for (auto& report : co_await dependencies_.shards.reports()) {
        lanes.insert(lanes.end(), report.lanes.begin(), report.lanes.end());
        work.push_back(std::move(report.work));
    }
    const auto now = dependencies_.clock.monotonic();
    ability_.observe(work, without_key_, now);
    registry_.set_ability(ability_.ability(now, dependencies_.clock.unix_now()));
    log_ability_changes();
    co_return lanes;
}

// Only the keys that matter: those of submitters with work, whose lanes may have to move here.
void ClusterNode::update_missing_keys(const std::vector<UnfinishedSubmitter>& unfinished) {
    without_key_.clear();
    for (const auto& one : unfinished) {
        if (without_key_.size() < max_listed_without_key && !has_key(one.submitter)) without_key_.insert(one.submitter);
    }
}

void ClusterNode::log_ability_changes() {
    for (const auto& [chain, known] : registry_.ability().chains) {
        const bool able = known.ability.is_able();
        const auto [told, is_new] = reported_able_.try_emplace(chain, able);
        if (is_new || told->second == able) continue;
        told->second = able;
        if (able) {
            dependencies_.log.write(Severity::info, "Chain usable by this node", {{"chain", chain.to_string()}});
        } else {
            dependencies_.log.write(
                Severity::warning, "Chain not usable by this node",
                {{"chain", chain.to_string()}, {"cause", std::string(name_of(*known.ability.cause))}});
        }
    }
}

// Raised repeatedly while it lasts; the implementation of the port deduplicates.
void ClusterNode::alert_kept_lanes(const std::vector<SubmitterId>& kept) {
    std::erase_if(reported_kept_, [&](const auto& known) { return std::ranges::find(kept, known) == kept.end(); });
    for (const auto& submitter : kept) {
        if (dependencies_.alerts != nullptr) {
            dependencies_.alerts->raise(alert_of(
                AlertKind::no_able_node, submitter,
                "No live node can use the chain and the key of this submitter; its transactions are on hold."));
        }
        if (!reported_kept_.insert(submitter).second) continue;
        dependencies_.log.write(Severity::warning, "Lease kept: no live node can serve the submitter",
                                {{"submitter", submitter.to_string()}});
    }
}

Task<Result<ClusterView, StoreError>> ClusterNode::observe() {
    auto lanes = co_await read_lanes();
    auto unfinished = co_await dependencies_.queries.unfinished_submitters();
    if (!unfinished) co_return err(unfinished.error());
    update_missing_keys(*unfinished);
    auto peers = co_await registry_.live();
    if (!peers) co_return err(peers.error());
    co_return ClusterView{.at = dependencies_.clock.monotonic(),
                          .lanes = std::move(lanes),
                          .unfinished = std::move(*unfinished),
                          .peers = std::move(*peers)};
}

// Logged once per outage: meanwhile no lane is opened or handed over.
void ClusterNode::log_store_error(std::optional<StoreError> error) {
    if (error && !store_error_logged_) {
        dependencies_.log.write(Severity::warning, "Cluster state not readable",
                                {{"why", std::string(name_of(*error))}});
    }
    store_error_logged_ = error.has_value();
}

Task<void> ClusterNode::run_wakeup_loop() {
    while (true)
        co_await guarded(receive_wakeups());
}

Task<void> ClusterNode::receive_wakeups() {
    const auto submitters = co_await dependencies_.wakeups.next();
    for (const auto& submitter : submitters)
        on_wakeup(submitter);
}

Task<void> ClusterNode::run_heartbeat_loop() {
    while (!leaving_)
        co_await guarded(registry_.run());
}

Task<void> ClusterNode::guarded(Task<void> round) {
    const bool well = co_await lane::run_guarded(&dependencies_.log, "Cluster task failed; retrying",
                                                 registry_.self().value(), std::move(round));
    if (!well) co_await dependencies_.clock.sleep_for(options_.poll_interval);
}

// Nodes that neither have the lane nor should open it ignore the hint: every node receives the hints of every
// submitter.
void ClusterNode::on_wakeup(const SubmitterId& submitter) {
    if (leaving_) return;
    if (plan_.is_ours(submitter)) {
        dependencies_.shards.wake(submitter);
    } else if (!plan_.is_held_elsewhere(submitter) && plan_.is_placed_here(submitter)) {
        poll_now_.notify();
    }
}

}  // namespace fencepost::cluster
