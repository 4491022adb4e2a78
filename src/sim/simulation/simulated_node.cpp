#include "sim/simulation/simulated_node.hpp"

#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "base/uuid.hpp"
#include "sim/store/run_now.hpp"

namespace fencepost::sim {
namespace {

lane::HostOptions host_options(const Settings& settings) {
    auto options = settings.host;
    // Mistaken reasoning: "the database will refuse us when the lease is over".
    if (settings.mutant == Mutant::lease_deadline_ignored) options.clock_skew_allowance = -std::chrono::hours(1);
    return options;
}

std::optional<lane::WakeUp> disabled(Mutant mutant) {
    static const std::map<Mutant, lane::WakeUp> deaf{
        {Mutant::missed_wake_up_own_time, lane::WakeUp::own_time},
        {Mutant::missed_wake_up_committed, lane::WakeUp::committed},
        {Mutant::missed_wake_up_deep_enough, lane::WakeUp::deep_enough},
        {Mutant::missed_wake_up_reorg, lane::WakeUp::reorg},
        {Mutant::missed_wake_up_external_fate, lane::WakeUp::external_fate},
        {Mutant::missed_wake_up_gap_closed, lane::WakeUp::gap_closed},
        {Mutant::missed_wake_up_verification, lane::WakeUp::verification},
    };
    const auto found = deaf.find(mutant);
    return found == deaf.end() ? std::nullopt : std::optional(found->second);
}

// None when another node has opened the lane since: there is nothing to compare with.
std::optional<LaneState> stored_for(SimDatabase& database, const SubmitterId& submitter, const Fence& fence) {
    const auto lease = run_now(database.lease_of(submitter));
    if (!lease || lease->token != fence.token) return std::nullopt;
    auto state = run_now(database.truth().load(submitter));
    return state ? std::optional(std::move(*state)) : std::nullopt;
}

lane::LaneOptions lane_options(const SimulatedNode::Dependencies& parts) {
    const auto& settings = parts.settings;
    auto options = settings.lane;
    options.wake_ups = {
        .missed = parts.missed_wake_up,
        .disabled = disabled(settings.mutant),
        .stored = [&database = parts.database](const auto& submitter,
                                               const Fence& fence) { return stored_for(database, submitter, fence); },
        .forgotten = parts.forgotten,
        .clock_slack = settings.clocks_agree() ? Duration{} : std::chrono::hours(24)};
    if (settings.mutant == Mutant::final_at_depth_zero) {
        options.finality = lane::FinalityRule::depth;
        options.confirmations_required = 0;
    }
    if (settings.mutant == Mutant::shared_nonce_gap_left_open) options.relaxed.gap_fill_delay = std::chrono::hours(10);
    // Mistaken reasoning: "others may use the key". Treats it as a shared key.
    if (settings.mutant == Mutant::external_use_ignored) options.mode = lane::NonceMode::relaxed;
    if (settings.mutant == Mutant::window_ignored) options.window = 64;
    if (settings.mutant == Mutant::fee_cap_ignored) options.fee_cap = Wei(options.fee_cap.value() * Uint256(1'000));
    return options;
}

// In proportion to lease and heartbeat, which differ between runs.
cluster::ClusterOptions cluster_options(const Settings& settings) {
    cluster::ClusterOptions options{
        .registry = {.heartbeat_every = settings.heartbeat, .live_within = 5 * settings.heartbeat},
        .plan = {.stand_in_after = settings.host.lease, .stable_for = 3 * settings.heartbeat},
        .poll_interval = settings.poll_interval};
    // Mistaken reasoning: "the chain or the signer will come back some time".
    if (settings.mutant == Mutant::lanes_never_released) options.ability.lost_after = std::chrono::hours(10);
    // Mistaken reasoning: "it may work again by now".
    if (settings.mutant == Mutant::lanes_handed_over_repeatedly)
        options.ability.initial_back_off = options.ability.max_back_off = std::chrono::seconds(1);
    return options;
}

}  // namespace

SimulatedNode::SimulatedNode(const Dependencies& parts, const std::string& name)
    : world_(parts.world),
      mutant_(parts.settings.mutant),
      random_(parts.world.random().fork()),
      id_(cluster::new_incarnation(name, random_).value()),
      process_(parts.world.start_node(id_.value())),
      clock_(process_),
      store_(process_, parts.database),
      chain_(process_, parts.network, parts.signer, parts.settings.mutant, SimChainOptions{.tip = parts.settings.tip}),
      lane_store_(store_, parts.network, parts.signer, parts.settings.mutant),
      wakeups_(process_, parts.wakeups),
      connector_(process_, parts.key_holder, parts.settings.mutant),
      signer_(parts.signer, connector_),
      stuck_policy_(parts.settings.stuck_decision),
      hosts_(make_hosts(parts)),
      shards_(make_shards()),
      cluster_(
          process_.executor(), id_, name + ".internal:8646",
          {.queries = store_,
           .nodes = store_,
           .wakeups = wakeups_,
           .signer = signer_,
           .shards = shards_,
           .clock = clock_,
           .log = parts.log,
           .connector = &connector_,
           .alerts = &parts.alerts},
          [options = lane_options(parts)](const SubmitterId&) { return options; }, cluster_options(parts.settings)) {
    for (auto& host : hosts_)
        world_.spawn(process_, host->run());
    world_.spawn(process_, cluster_.run());
}

std::vector<std::unique_ptr<lane::LaneHost>> SimulatedNode::make_hosts(const Dependencies& parts) {
    std::vector<std::unique_ptr<lane::LaneHost>> hosts;
    for (std::size_t i = 0; i < parts.settings.shards; ++i) {
        const lane::LaneHost::Dependencies host_parts{
            .leases = store_,
            .store = lane_store_,
            .commands = store_,
            .headers = store_,
            .signer = signer_,
            .builder = builder_,
            .clock = clock_,
            .telemetry = parts.telemetry,
            .log = parts.log,
            .stuck_policy = &stuck_policy_,
            .alerts = &parts.alerts,
            .connector = &connector_,
            .shared_keys = lane::SharedKeyDependencies{store_, store_, parts.alerts}};
        hosts.push_back(
            std::make_unique<lane::LaneHost>(process_.executor(), id_, host_parts, host_options(parts.settings)));
        hosts.back()->add_chain(chain_);
    }
    return hosts;
}

lane::LaneShards SimulatedNode::make_shards() {
    std::vector<lane::LaneShards::Shard> shards;
    shards.reserve(hosts_.size());
    for (const auto& host : hosts_)
        shards.push_back({process_.executor(), host.get()});
    return lane::LaneShards(std::move(shards));
}

void SimulatedNode::offer(NewIntent intent, Reply reply) {
    world_.spawn(process_, handle(std::move(intent), std::move(reply)));
}

Task<void> SimulatedNode::handle(NewIntent intent, Reply reply) {
    if (mutant_ == Mutant::unbounded_backlog) {
        for (int i = 0; i < 1'000; ++i)
            world_.spawn(process_, clock_.sleep_for(std::chrono::hours(10)));
    }
    const auto submitter = intent.submitter;
    const auto answers = co_await store_.accept(std::vector{intent});
    if (!answers && mutant_ == Mutant::retry_without_request_id) co_await accept_copy(std::move(intent));
    if (answers && answers->front().kind == AcceptKind::accepted) cluster_.accepted(submitter);
    if (answers) {
        reply(answers->front());
    } else {
        reply(err(answers.error()));
    }
}

// Mistaken reasoning: "it is unknown whether it was stored, so store it again to be sure". The caller does not know
// either and retries as well.
Task<void> SimulatedNode::accept_copy(NewIntent intent) {
    intent.id = TxId(UuidV7Generator().next(world_.unix_now(), random_.bits()));
    intent.request.reset();
    std::ignore = co_await store_.accept(std::vector{std::move(intent)});
}

void SimulatedNode::post(Command command) { world_.spawn(process_, handle(std::move(command))); }

Task<void> SimulatedNode::handle(Command command) {
    const auto submitter = command.submitter;
    // Repeats until the outcome is certain: a duplicate command is harmless, a lost one is not.
    while (!co_await store_.post(command))
        co_await clock_.sleep_for(std::chrono::seconds(1));
    cluster_.accepted(submitter);
}

std::size_t SimulatedNode::backlog() const {
    std::size_t waiting = process_.backlog() + wakeups_.undelivered();
    for (const auto& host : hosts_)
        waiting += host->backlog();
    return waiting;
}

void SimulatedNode::leave() {
    if (std::exchange(leaving_, true)) return;
    world_.spawn(process_, cluster_.leave());
}

}  // namespace fencepost::sim
