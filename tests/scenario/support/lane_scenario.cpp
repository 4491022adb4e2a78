#include "support/lane_scenario.hpp"

#include <algorithm>
#include <ranges>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text/hex.hpp"
#include "support/driven_moves.hpp"

namespace fencepost::scenario {

void KeptLog::write(Severity severity, std::string_view message, std::initializer_list<LogField> fields) {
    std::string line(message);
    for (const auto& field : fields)
        line += fmt::format(" {}={}", field.name, field.value);
    lines_.emplace_back(severity, std::move(line));
}

std::size_t KeptLog::count(Severity severity, std::string_view part) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        lines_, [&](const auto& line) { return line.first == severity && line.second.contains(part); }));
}

std::size_t KeptAlerts::count(AlertKind kind, AlertLevel level, std::string_view part) const {
    return static_cast<std::size_t>(std::ranges::count_if(raised_, [&](const Alert& alert) {
        return alert.kind == kind && alert.level == level && alert.message.contains(part);
    }));
}

std::string KeptLog::text() const {
    std::string all;
    for (const auto& [severity, line] : lines_)
        all += fmt::format("{}: {}\n", name_of(severity), line);
    return all;
}

std::vector<Alert> KeptAlerts::of(AlertKind kind) const {
    std::vector<Alert> alerts;
    std::ranges::copy_if(raised_, std::back_inserter(alerts), [&](const Alert& alert) { return alert.kind == kind; });
    return alerts;
}

Node::Node(LaneScenario& scenario, sim::SimNode& process, const Setup& setup, bool has_keys)
    : process_(process),
      clock_(process),
      chain_(process, scenario.network),
      store_(*scenario.store, *scenario.store, clock_, scenario.points),
      nonces_(*scenario.store, clock_, scenario.points),
      builder_(clock_),
      signer_(scenario.signer, has_keys),
      connector_(process, scenario.key_holder),
      host_(process.executor(), NodeId(process.name()),
            {.leases = store_,
             .store = store_,
             .commands = *scenario.store,
             .headers = *scenario.store,
             .signer = signer_,
             .builder = builder_,
             .clock = clock_,
             .telemetry = scenario.telemetry,
             .log = scenario.log,
             .bump_policy = setup.bump_policy,
             .stuck_policy = setup.stuck_policy,
             .alerts = &scenario.alerts,
             .connector = &connector_,
             .shared_keys = lane::SharedKeyDependencies{nonces_, *scenario.store, scenario.alerts}},
            setup.host),
      lane_options_(setup.lane),
      tasks_(process.executor()) {
    host_.add_chain(chain_);
    tasks_.spawn(host_.run());
    tasks_.spawn(open_lanes(scenario.store.get(), 500ms));
    scenario.world.spawn(process, run());
}

Task<void> Node::run() {
    co_await tasks_.join();
    stopped_ = true;
}

void Node::stop() { tasks_.cancel(); }

Task<void> Node::open_lanes(Queries* queries, Duration every) {
    while (opens_) {
        const auto submitters = co_await queries->unfinished_submitters();
        for (const auto& unfinished : submitters.value())
            host_.open(unfinished.submitter, lane_options_);
        co_await clock_.sleep_for(every);
    }
}

void Node::release() {
    opens_ = false;
    process_.world().spawn(process_, release_all());
}

Task<void> Node::release_all() {
    co_await host_.release_all();
    released_ = true;
}

LaneScenario::LaneScenario(Setup setup_in)
    : setup(std::move(setup_in)),
      world(setup.seed),
      network(world, setup.network),
      one(network.add_endpoint({.name = "one"})),
      two(network.add_endpoint({.name = "two"})),
      signer(setup.network.ledger.chain_id, setup.seed, &network.ledger().cache()),
      alice(signer.submitter(0)),
      bob(signer.submitter(1)),
      key_holder(network, signer, setup.seed),
      random_(setup.seed) {
    auto opened = store::SqliteStore::open(
        {.path = ":memory:", .now = [this] { return world.unix_now(); }, .execution = store::Execution::in_place});
    store = std::move(opened.value());
    for (const auto& submitter : {alice, bob})
        network.ledger().fund(*submitter.evm_address(), ether * 1'000);
    world.spawn(network.process(), mine());
    check_sends();
    check_connector_requests();
}

// Like a crash: the nodes' tasks are destroyed in place.
LaneScenario::~LaneScenario() {
    for (const auto& node : nodes_) {
        record_moves(node->store().written());
        if (node->process().is_alive()) world.kill(node->process());
    }
}

Task<void> LaneScenario::mine() {
    sim::SimClock clock(network.process());
    while (true) {
        co_await clock.sleep_for(setup.block_interval);
        if (mining_) network.mine();
    }
}

// Checks laws 1 and 2 at each send: the bytes are recorded, and the node holds the lease.
void LaneScenario::check_sends() {
    network.record().watch([this](const sim::WireEntry& entry) {
        const auto recorded = get(store->by_hash(entry.transaction.hash));
        EXPECT_TRUE(recorded.value().has_value())
            << "sent without a record: " << to_hex_prefixed(entry.transaction.hash.view());
        const auto lease = recorded->has_value() ? submitter((*recorded)->submitter).lease : std::nullopt;
        if (!lease || lease->owner != NodeId(entry.node) || is_expired(*lease, world.unix_now()))
            sent_without_lease_.push_back(entry);
        points.pass("sent");
    });
}

// The same with a signing connector: the request is recorded, and made by the owner.
void LaneScenario::check_connector_requests() {
    if (!setup.connector) return;
    key_holder.hold(alice);
    key_holder.set_abilities(*setup.connector);
    key_holder.watch([this](const std::string& node, const UnsignedTransaction& asked) {
        const auto state = get(store->load(asked.from)).value();
        const auto tx = std::ranges::find(state.watched, asked.nonce, &Transaction::nonce);
        const bool claimed =
            tx != state.watched.end() && std::ranges::any_of(tx->claims, [&](const ClaimedSend& claim) {
                return claim.to == asked.to && claim.value == asked.value && claim.data == asked.data &&
                       claim.gas_limit == asked.gas_limit && claim.fees == asked.fees;
            });
        EXPECT_TRUE(claimed) << "requested without a record, at nonce " << asked.nonce.value();
        const auto lease = submitter(asked.from).lease;
        EXPECT_TRUE(lease && lease->owner == NodeId(node) && !is_expired(*lease, world.unix_now()))
            << node << " requested without the lease";
        points.pass("asked");
    });
}

Node& LaneScenario::start(const std::string& name, const Setup& own, bool has_keys) {
    nodes_.push_back(std::make_unique<Node>(*this, world.start_node(name), own, has_keys));
    return *nodes_.back();
}

void LaneScenario::kill(Node& node) { world.kill(node.process()); }

Intent LaneScenario::transfer(std::uint64_t value) {
    return {.to = "0x00000000000000000000000000000000000000aa", .value = Wei(value)};
}

Intent LaneScenario::call(const Address& contract, Bytes data) {
    return {.to = contract.to_lower(), .data = std::move(data)};
}

AcceptAnswer LaneScenario::offer(const SubmitterId& from, Intent intent) {
    const TxId id(ids_.next(world.unix_now(), random_.bits()));
    const RequestId request(fmt::format("request-{}", requests_++));
    return get(store->accept({{id, from, request, std::move(intent)}})).value().at(0);
}

TxId LaneScenario::accept(const SubmitterId& from, Intent intent) {
    const auto answer = offer(from, std::move(intent));
    EXPECT_EQ(answer.kind, AcceptKind::accepted) << answer.reason;
    return answer.id;
}

SignedTransaction LaneScenario::sign_externally(const SubmitterId& from, Nonce nonce, std::uint64_t tip_gwei) {
    return signer.sign_now({.from = from,
                            .nonce = nonce,
                            .to = "0x00000000000000000000000000000000000000bb",
                            .value = Wei(77),
                            .data = {},
                            .gas_limit = Gas(21'000),
                            .fees = DynamicFee{Wei(Uint256(100 * gwei)), Wei(Uint256(tip_gwei * gwei))}});
}

std::vector<TxId> LaneScenario::accept(const SubmitterId& from, std::size_t count) {
    std::vector<TxId> ids;
    ids.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        ids.push_back(accept(from, transfer(i + 1)));
    return ids;
}

void LaneScenario::post(CommandKind kind, const SubmitterId& submitter, std::string reason) const {
    const auto posted =
        get(store->post({.submitter = submitter, .kind = kind, .requested_by = "test", .reason = std::move(reason)}));
    ASSERT_TRUE(posted.has_value());
}

void LaneScenario::post(CommandKind kind, TxId tx) const {
    const auto posted =
        get(store->post({.submitter = alice, .kind = kind, .tx = tx, .requested_by = "test", .reason = "asked"}));
    ASSERT_TRUE(posted.has_value());
}

std::vector<Command> LaneScenario::pending_commands() const { return get(store->pending(alice)).value(); }

TxView LaneScenario::view(TxId id) const { return get(store->by_id(id)).value().value(); }

std::vector<TxView> LaneScenario::all() const { return get(store->list({.limit = 100'000})).value(); }

std::vector<HistoryEntry> LaneScenario::history(TxId id) const { return get(store->history(id)).value(); }

std::vector<std::string> LaneScenario::history_kinds(TxId id) const {
    std::vector<std::string> kinds;
    for (const auto& entry : history(id))
        kinds.emplace_back(name_of(entry.step.kind));
    return kinds;
}

SubmitterView LaneScenario::submitter(const SubmitterId& id) const { return get(store->submitter(id)).value(); }

std::vector<LoggedEvent> LaneScenario::events() const { return get(store->read_after({}, 1'000'000)).value(); }

std::size_t LaneScenario::times_sent(const TxHash& hash) const {
    // A send to several endpoints counts once, even at different times.
    std::map<std::string, std::map<std::string, std::size_t>> by_node;
    for (const auto& entry : const_cast<sim::SimNetwork&>(network).record().entries()) {
        if (entry.transaction.hash == hash) ++by_node[entry.node][entry.endpoint];
    }
    std::size_t sends = 0;
    for (const auto& [node, endpoints] : by_node)
        sends += std::ranges::max(endpoints | std::views::values);
    return sends;
}

bool LaneScenario::run_until_settled(Duration at_most) {
    return run_until(
        [&] { return std::ranges::all_of(all(), [](const TxView& tx) { return is_final(tx.position.state); }); },
        at_most);
}

void LaneScenario::expect_lawful() {
    std::set<SubmitterId> submitters;
    for (const auto& tx : all()) {
        submitters.insert(tx.submitter);
        expect_executed_once(tx);
    }
    for (const auto& submitter : submitters)
        expect_contiguous(submitter);
    EXPECT_TRUE(sent_without_lease_.empty()) << sent_without_lease_.front().node << " sent without the lease";
}

void LaneScenario::expect_executed_once(const TxView& tx) {
    std::map<TxHash, AttemptKind> kinds;
    for (const auto& attempt : attempts(tx.id)) {
        kinds.emplace(attempt.hash, attempt.kind);
        EXPECT_EQ(attempt.nonce, tx.nonce);
    }
    std::size_t executed = 0;
    for (const auto& on_chain : network.ledger().executed()) {
        const auto kind = kinds.find(on_chain.transaction->hash);
        if (kind == kinds.end()) continue;
        ++executed;
        EXPECT_EQ(on_chain.transaction->nonce, tx.nonce);
        const bool filler = kind->second == AttemptKind::filler;
        EXPECT_EQ(on_chain.transaction->value, filler ? Wei{} : tx.intent.value);
        // After a revocation by an operator either may be mined.
        if (tx.abandonment != Abandonment::revoked) {
            EXPECT_EQ(tx.position.state == State::confirmed, !filler && on_chain.receipt().succeeded);
        }
        EXPECT_EQ(on_chain.receipt(), tx.receipt) << "the store's receipt is the chain's";
    }
    const bool runs = tx.nonce && is_final(tx.position.state);
    EXPECT_EQ(executed, runs ? 1U : 0U) << tx.id.value().to_string() << " is " << name_of(tx.position.state);
}

// All transactions of the account are ours, one per nonce, from 0 to the cursor.
void LaneScenario::expect_contiguous(const SubmitterId& submitter) {
    std::uint64_t next = 0;
    for (const auto& on_chain : network.ledger().executed()) {
        if (on_chain.transaction->sender != *submitter.evm_address()) continue;
        EXPECT_EQ(on_chain.transaction->nonce, Nonce(next++));
        EXPECT_TRUE(get(store->by_hash(on_chain.transaction->hash)).value().has_value());
    }
    EXPECT_EQ(this->submitter(submitter).next_nonce.value_or(Nonce(0)), Nonce(next)) << "no gap, no nonce left out";
}

}  // namespace fencepost::scenario
