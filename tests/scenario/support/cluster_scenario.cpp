#include "support/cluster_scenario.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cluster/node_identity.hpp"

namespace fencepost::scenario {
namespace {

lane::LaneHost::Dependencies host_parts(ClusterScenario& scenario, FaultyStore& store, NodeSigner& signer,
                                        HookedBuilder& builder, sim::SimClock& clock) {
    return {.leases = store,
            .store = store,
            .commands = *scenario.store,
            .headers = *scenario.store,
            .signer = signer,
            .builder = builder,
            .clock = clock,
            .telemetry = scenario.telemetry,
            .log = scenario.log};
}

}  // namespace

Member::Member(ClusterScenario& scenario, sim::SimNode& process, const MemberOptions& options)
    : id_(process.name()),
      process_(process),
      intake_(*scenario.store),
      clock_(process),
      chain_(process, scenario.network),
      store_(*scenario.store, *scenario.store, clock_, scenario.points),
      register_(*scenario.store),
      builder_(clock_),
      signer_(scenario.signer, options.has_keys),
      wakeups_(process, scenario.wakeups),
      first_host_(process.executor(), id_, host_parts(scenario, store_, signer_, builder_, clock_),
                  scenario.setup.host),
      second_host_(process.executor(), id_, host_parts(scenario, store_, signer_, builder_, clock_),
                   scenario.setup.host),
      shards_({{process.executor(), &first_host_}, {process.executor(), &second_host_}}),
      cluster_(
          process.executor(), id_, "127.0.0.1:1",
          {.queries = register_,
           .nodes = register_,
           .wakeups = wakeups_,
           .signer = signer_,
           .shards = shards_,
           .clock = clock_,
           .log = scenario.log,
           .alerts = &scenario.alerts_},
          [lane = scenario.setup.lane](const SubmitterId& /*submitter*/) { return lane; }, options.cluster),
      tasks_(process.executor()) {
    for (auto* host : {&first_host_, &second_host_}) {
        host->add_chain(chain_);
        tasks_.spawn(host->run());
    }
    tasks_.spawn(cluster_.run());
    scenario.world.spawn(process, run());
}

Task<void> Member::run() { co_await tasks_.join(); }

void Member::accept(NewIntent intent) { process_.world().spawn(process_, make_durable(std::move(intent))); }

Task<void> Member::make_durable(NewIntent intent) {
    std::vector<NewIntent> batch{intent};
    const auto answers = co_await intake_.accept(std::move(batch));
    answers_.push_back(answers.value().at(0));
    cluster_.accepted(intent.submitter);
}

void Member::leave() { process_.world().spawn(process_, depart()); }

Task<void> Member::depart() {
    co_await cluster_.leave();
    has_left_ = true;
    tasks_.cancel();
}

void Member::cut_off(bool cut) {
    store_.set_fault(cut ? StoreFault::unreachable : StoreFault::none);
    register_.cut_off(cut);
}

ClusterScenario::ClusterScenario(std::size_t count, Setup setup_in)
    : LaneScenario(std::move(setup_in)),
      random_(setup.seed + 1) {
    for (std::size_t i = 0; i < count; ++i) {
        submitters.push_back(signer.submitter(i));
        network.ledger().fund(*submitters.back().evm_address(), ether * 1'000);
    }
}

// Like a crash: the nodes' tasks are destroyed in place.
ClusterScenario::~ClusterScenario() {
    for (const auto& member : members_)
        world.kill(member->process());
}

Member& ClusterScenario::join(const std::string& name, const MemberOptions& options) {
    const auto id = cluster::new_incarnation(name, random_).value();
    members_.push_back(std::make_unique<Member>(*this, world.start_node(id.value()), options));
    return *members_.back();
}

void ClusterScenario::cut_from_chain(Member& member, bool cut) {
    for (const auto& endpoint : network.endpoints()) {
        if (cut) {
            endpoint->cut_off(member.process().name());
        } else {
            endpoint->reconnect(member.process().name());
        }
    }
}

std::vector<Member*> ClusterScenario::join_all(const std::vector<std::string>& names) {
    std::vector<Member*> members;
    members.reserve(names.size());
    for (const auto& name : names)
        members.push_back(&join(name));
    run_for(5s);
    return members;
}

NewIntent ClusterScenario::intent(const SubmitterId& from, std::optional<std::string> request) {
    const auto number = ++handed_in_;
    return {.id = TxId(ids_.next(world.unix_now(), random_.bits())),
            .submitter = from,
            .request = RequestId(request ? *request : fmt::format("submitted-{}", number)),
            .intent = transfer(request ? 1 : number)};
}

void ClusterScenario::accept_for_all(Member& at) {
    for (const auto& submitter : submitters)
        at.accept(intent(submitter));
}

void ClusterScenario::keep_accepting(std::vector<Member*> at, Duration duration) {
    const auto end = world.now() + duration;
    while (world.now() < end) {
        at[handed_in_ % at.size()]->accept(intent(submitters[handed_in_ % submitters.size()]));
        run_for(100ms);
    }
}

std::optional<NodeId> ClusterScenario::owner(const SubmitterId& submitter) const {
    const auto lease = this->submitter(submitter).lease;
    if (!lease || is_expired(*lease, world.unix_now())) return std::nullopt;
    return lease->owner;
}

std::size_t ClusterScenario::owned_by(const Member& member) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(submitters, [&](const auto& submitter) { return owner(submitter) == member.id(); }));
}

std::optional<Instant> ClusterScenario::first_sent(TxId id) {
    for (const auto& attempt : get(store->attempts(id)).value()) {
        for (const auto& entry : network.record().entries())
            if (entry.transaction.hash == attempt.hash) return entry.left_at;
    }
    return std::nullopt;
}

NodeId ClusterScenario::placed_on(const SubmitterId& submitter, const std::vector<Member*>& members) const {
    std::vector<NodeId> ids;
    ids.reserve(members.size());
    for (const auto* member : members)
        ids.push_back(member->id());
    return cluster::Placement(std::move(ids)).first(submitter).value();
}

}  // namespace fencepost::scenario
