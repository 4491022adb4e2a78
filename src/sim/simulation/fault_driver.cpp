#include "sim/simulation/fault_driver.hpp"

#include <algorithm>

#include "sim/store/run_now.hpp"

namespace fencepost::sim {

using namespace std::chrono_literals;

FaultDriver::FaultDriver(const Dependencies& parts)
    : dependencies_(parts),
      process_(parts.world.start_node("faults")),
      clock_(process_),
      random_(parts.world.random().fork()) {
    const auto& plan = parts.settings.faults;
    parts.database.faults() = plan.database;
    for (const auto& endpoint : parts.network.endpoints())
        endpoint->options().faults = plan.chain;
    const auto spawn = [this](Duration mean, std::string name, Act act) {
        if (mean != Duration{}) dependencies_.world.spawn(process_, every(mean, std::move(name), act));
    };
    spawn(plan.crash, "crashes", &FaultDriver::crash);
    spawn(plan.orderly_leave, "graceful shutdowns", &FaultDriver::leave);
    spawn(plan.pause, "pauses", &FaultDriver::pause);
    spawn(plan.clock_jump, "clock jumps", &FaultDriver::jump_clock);
    spawn(plan.partition, "partitions", &FaultDriver::cut_off);
    spawn(plan.database_clock_step, "database clock steps", &FaultDriver::step_database_clock);
    spawn(plan.database_outage, "database outages", &FaultDriver::stop_database);
    spawn(plan.endpoint_outage, "endpoint outages", &FaultDriver::stop_endpoint);
    spawn(plan.endpoint_lag, "lagging endpoints", &FaultDriver::lag_endpoint);
    spawn(plan.eviction, "evictions", &FaultDriver::evict);
    spawn(plan.reorg, "reorgs", &FaultDriver::reorg);
    spawn(plan.fee_spike, "fee spikes", &FaultDriver::spike_fees);
    spawn(plan.external_use, "external uses of a key", &FaultDriver::use_key_externally);
    spawn(plan.refusal, "endpoints that refuse every send permanently", &FaultDriver::refuse);
    spawn(plan.top_up, "account top-ups", &FaultDriver::top_up_accounts);
    spawn(plan.other_system, "transactions of the other system", &FaultDriver::use_shared_key);
    plan_permanent_faults();
    plan_common_outage();
}

// Usually after its lanes have opened.
void FaultDriver::plan_permanent_faults() {
    const auto& plan = dependencies_.settings.faults;
    if (plan.one_endpoint_throttled) ++dependencies_.counts["endpoints that answer one call in ten"];
    throttle_first_endpoint();
    if (plan.permanent_fault == PermanentFault::none) return;
    ++dependencies_.counts[plan.permanent_fault == PermanentFault::chain ? "nodes that lost their chain permanently"
                                                                         : "nodes that lost their signer permanently"];
    later(up_to(dependencies_.settings.fault_phase / 2), [this] { break_permanently(); });
}

void FaultDriver::break_permanently() {
    const auto fault = dependencies_.settings.faults.permanent_fault;
    if (fault != PermanentFault::none) dependencies_.cluster.break_permanently(0, fault);
}

void FaultDriver::throttle_first_endpoint() {
    if (dependencies_.settings.faults.one_endpoint_throttled)
        dependencies_.network.endpoint(0).options().faults = {.unreachable = 900};
}

// Usually after the lanes have opened.
void FaultDriver::plan_common_outage() {
    if (dependencies_.settings.faults.common == CommonOutage::none) return;
    later(1min + up_to(1min), [this] {
        begin_common_outage();
        later(common_outage_duration, [this] { end_common_outage(); });
    });
}

void FaultDriver::begin_common_outage() {
    const auto nodes = dependencies_.cluster.size();
    switch (dependencies_.settings.faults.common) {
        case CommonOutage::none:
            return;
        case CommonOutage::chain:
            ++dependencies_.counts["outages of the chain for all nodes"];
            break_all(PermanentFault::chain);
            return dependencies_.outage.begin(OutageChecker::max_openings(nodes));
        case CommonOutage::signer:
            ++dependencies_.counts["outages of the signer for all nodes"];
            break_all(PermanentFault::signer);
            return dependencies_.outage.begin(OutageChecker::max_openings(nodes));
        case CommonOutage::answers:
            ++dependencies_.counts["periods in which all endpoints answer one call in ten"];
            for (const auto& endpoint : dependencies_.network.endpoints())
                endpoint->options().faults = {.unreachable = 900};
            return dependencies_.outage.begin(OutageChecker::max_openings_with_retries(nodes));
    }
}

void FaultDriver::break_all(PermanentFault fault) {
    for (std::size_t node_index = 0; node_index < dependencies_.cluster.size(); ++node_index)
        dependencies_.cluster.break_permanently(node_index, fault);
}

void FaultDriver::end_common_outage() {
    dependencies_.outage.end();
    for (std::size_t node_index = 0; node_index < dependencies_.cluster.size(); ++node_index)
        dependencies_.cluster.repair(node_index);
    for (const auto& endpoint : dependencies_.network.endpoints())
        endpoint->options().faults = dependencies_.settings.faults.chain;
}

Task<void> FaultDriver::every(Duration mean, std::string name, Act act) {
    while (true) {
        co_await clock_.sleep_for(up_to(2 * mean));
        if (faults_ended_) co_return;
        if ((this->*act)()) ++dependencies_.counts[name];
    }
}

void FaultDriver::later(Duration delay, std::function<void()> action) {
    dependencies_.world.spawn(process_, wait_and(delay, std::move(action)));
}

Task<void> FaultDriver::wait_and(Duration delay, std::function<void()> action) {
    co_await clock_.sleep_for(delay);
    if (!faults_ended_) action();
}

SimEndpoint& FaultDriver::any_endpoint() {
    return dependencies_.network.endpoint(random_.below(dependencies_.network.endpoints().size()));
}

// The node may restart at once, or only after its lease has expired.
bool FaultDriver::crash() {
    const auto node_index = random_.below(dependencies_.cluster.size());
    if (dependencies_.cluster.at(node_index) == nullptr) return false;
    dependencies_.cluster.kill(node_index);
    later(up_to(2 * dependencies_.settings.host.lease),
          [this, node_index] { dependencies_.cluster.start(node_index); });
    return true;
}

// Like a rolling upgrade: the node drains, stops whether or not it has drained, and the next version starts in its
// place.
bool FaultDriver::leave() {
    const auto node_index = random_.below(dependencies_.cluster.size());
    auto* node = dependencies_.cluster.at(node_index);
    if (node == nullptr || node->is_leaving()) return false;
    node->leave();
    later(up_to(dependencies_.settings.host.lease), [this, node_index, node] {
        if (dependencies_.cluster.at(node_index) != node) return;
        dependencies_.cluster.kill(node_index);
        dependencies_.cluster.start(node_index);
    });
    return true;
}

bool FaultDriver::pause() {
    auto* node = any_node();
    if (node == nullptr || node->process().is_paused()) return false;
    auto* process = &node->process();
    dependencies_.world.pause(*process);
    later(up_to(3 * dependencies_.settings.host.lease), [this, process] { dependencies_.world.resume(*process); });
    return true;
}

bool FaultDriver::jump_clock() {
    auto* node = any_node();
    if (node == nullptr) return false;
    node->process().set_clock_skew(up_to(2h) - Duration(1h));
    return true;
}

// A step forward stays. A step back is corrected after a while: until then no lease of a dead node can be taken over.
bool FaultDriver::step_database_clock() {
    if (clock_before_) return false;
    constexpr Duration step = 1h;
    const auto before = dependencies_.database.clock_offset();
    const bool forward = random_.one_in(2);
    dependencies_.database.set_clock(forward ? before + step : before - step);
    if (forward) return true;
    clock_before_ = before;
    later(up_to(1min), [this] { correct_database_clock(); });
    return true;
}

void FaultDriver::correct_database_clock() {
    if (clock_before_) dependencies_.database.set_clock(*std::exchange(clock_before_, std::nullopt));
}

// Cuts a node off from the database, from one endpoint, or from all endpoints.
bool FaultDriver::cut_off() {
    auto* node = any_node();
    if (node == nullptr) return false;
    const auto name = node->process().name();
    const auto end = up_to(3 * dependencies_.settings.host.lease);
    const auto what = random_.below(3);
    if (what == 0) {
        dependencies_.database.cut_off(name, true);
        later(end, [this, name] { dependencies_.database.cut_off(name, false); });
        return true;
    }
    // A node that lost its chain permanently must not be reconnected by accident.
    if (dependencies_.settings.faults.permanent_fault == PermanentFault::chain && node == dependencies_.cluster.at(0))
        return false;
    auto& one = any_endpoint();
    for (const auto& endpoint : dependencies_.network.endpoints()) {
        if (what == 1 && endpoint.get() != &one) continue;
        endpoint->cut_off(name);
        later(end, [&endpoint, name] { endpoint->reconnect(name); });
    }
    return true;
}

bool FaultDriver::stop_database() {
    if (dependencies_.database.is_down()) return false;
    dependencies_.database.set_down(true);
    later(up_to(2 * dependencies_.settings.host.lease), [this] { dependencies_.database.set_down(false); });
    return true;
}

bool FaultDriver::stop_endpoint() {
    auto& endpoint = any_endpoint();
    if (endpoint.is_down()) return false;
    endpoint.set_down(true);
    later(up_to(30s), [&endpoint] { endpoint.set_down(false); });
    return true;
}

bool FaultDriver::lag_endpoint() {
    auto& endpoint = any_endpoint();
    switch (random_.below(3)) {
        case 0:
            endpoint.lag_blocks(1 + random_.below(6));
            break;
        case 1:
            endpoint.lag_time(up_to(20s));
            break;
        default:
            endpoint.freeze();
    }
    later(up_to(40s), [&endpoint] {
        endpoint.lag_blocks(0);
        endpoint.lag_time({});
        endpoint.thaw();
    });
    return true;
}

// Evicts a random pending transaction.
bool FaultDriver::evict() {
    const auto waiting = any_endpoint().pool().contents();
    return !waiting.empty() && dependencies_.network.evict(waiting[random_.below(waiting.size())]->hash);
}

bool FaultDriver::reorg() {
    const auto deepest =
        std::min(dependencies_.settings.faults.deepest_reorg, dependencies_.network.ledger().deepest_reorg());
    if (deepest == 0) return false;
    const auto depth = 1 + random_.below(deepest);
    const bool depth_decides = dependencies_.settings.lane.finality == lane::FinalityRule::depth;
    if (depth_decides && depth > dependencies_.settings.lane.confirmations_required)
        ++dependencies_.counts["reorgs beyond the required depth"];
    dependencies_.network.reorg({.depth = depth, .fate = static_cast<Reorg::Fate>(random_.below(3))});
    dependencies_.chain.update();
    return true;
}

// Relative to the initial base fee: empty blocks lower the current one to almost nothing.
bool FaultDriver::spike_fees() {
    spike_ = Wei(dependencies_.settings.network.ledger.base_fee->value() * Uint256(2 + random_.below(20)));
    spiked_blocks_ = 1 + random_.below(10);
    return true;
}

void FaultDriver::price_next_block() {
    if (spiked_blocks_ == 0 || faults_ended_) return;
    --spiked_blocks_;
    dependencies_.network.ledger().set_next_base_fee(spike_);
}

// Usually a key with pending transactions, so that an allocated nonce is taken.
const SubmitterId& FaultDriver::any_key() {
    const auto& keys = dependencies_.submitters;
    const auto waiting = any_endpoint().pool().contents();
    if (!waiting.empty() && !random_.one_in(4)) {
        const auto& sender = waiting[random_.below(waiting.size())]->sender;
        const auto in_use = std::ranges::find(keys, sender, [](const auto& key) { return *key.evm_address(); });
        if (in_use != keys.end()) return *in_use;
    }
    return keys[random_.below(keys.size())];
}

// Only after our first contact with the key: what was mined before that counts as final, and a reorg that drops it
// would leave a nonce below ours that only an operator can fill.
bool FaultDriver::use_key_externally() {
    const auto& submitter = any_key();
    if (!run_now(dependencies_.database.truth().submitter(submitter)).value().next_nonce) return false;
    if (!send_external(submitter, dependencies_.network.ledger().head().state->account(*submitter.evm_address()).nonce))
        return false;
    used_externally_.insert(submitter);
    return true;
}

// Takes the pending nonce from an endpoint, as it should, or the first unmined nonce.
bool FaultDriver::use_shared_key() {
    if (random_.one_in(2) && block_recycled_nonce()) return true;
    const auto& submitter = dependencies_.submitters[random_.below(dependencies_.submitters.size())];
    const auto& state = *dependencies_.network.ledger().head().state;
    const auto waiting = any_endpoint().pool().next_nonce(*submitter.evm_address(), state);
    return send_external(submitter, random_.one_in(3) ? state.account(*submitter.evm_address()).nonce : waiting);
}

// The other system sends at a nonce that we recycled, with too low a fee, and drops the transaction after a while.
// Meanwhile we may have allocated past that nonce.
bool FaultDriver::block_recycled_nonce() {
    for (const auto& submitter : dependencies_.submitters) {
        const auto count = dependencies_.network.ledger().head().state->account(*submitter.evm_address()).nonce;
        const auto free = run_now(dependencies_.database.truth().lowest_recyclable(submitter, count)).value();
        if (!free) continue;
        const auto cheap = sign_external(submitter, *free, Wei(Uint256(1 + underpriced_external_.size())));
        if (dependencies_.network.inject(cheap.raw).outcome != SendOutcome::accepted) continue;
        external_txs_.insert(cheap.hash);
        underpriced_external_.push_back(cheap.hash);
        later(up_to(30s), [this, hash = cheap.hash] { std::ignore = dependencies_.network.evict(hash); });
        ++dependencies_.counts["recycled nonces blocked"];
        return true;
    }
    return false;
}

bool FaultDriver::send_external(const SubmitterId& submitter, Nonce nonce) {
    const auto fee =
        Wei(dependencies_.network.ledger().base_fee_after(dependencies_.network.ledger().head()) * Uint256(4));
    const auto signed_tx = sign_external(submitter, nonce, fee);
    if (dependencies_.network.inject(signed_tx.raw).outcome != SendOutcome::accepted) return false;
    external_txs_.insert(signed_tx.hash);
    sent_external_.push_back({submitter, nonce, signed_tx.raw});
    return true;
}

SignedTransaction FaultDriver::sign_external(const SubmitterId& submitter, Nonce nonce, Wei fee) {
    return dependencies_.signer.sign_now({.from = submitter,
                                          .nonce = nonce,
                                          .to = "0x00000000000000000000000000000000000000bb",
                                          .value = Wei(Uint256(1'000'000 + external_txs_.size())),
                                          .data = {},
                                          .gas_limit = Gas(21'000),
                                          .fees = DynamicFee{fee, fee}});
}

// A lane must not trust a single endpoint. Where all endpoints refuse, it gives the intent up, and its gap filler is
// refused as well until the endpoints recover.
bool FaultDriver::refuse() {
    const bool all = random_.one_in(2);
    auto& one = any_endpoint();
    for (const auto& endpoint : dependencies_.network.endpoints()) {
        if (!all && endpoint.get() != &one) continue;
        endpoint->refuse_sends(Verdict{SendOutcome::over_block_gas_limit, "exceeds block gas limit"});
        later(up_to(1min), [&endpoint] { endpoint->refuse_sends(std::nullopt); });
    }
    return true;
}

bool FaultDriver::top_up_accounts() {
    for (const auto& submitter : dependencies_.submitters)
        dependencies_.network.ledger().fund(*submitter.evm_address(), *dependencies_.settings.initial_balance);
    return true;
}

// The other system resends its lost transactions; otherwise ours at higher nonces would wait for ever. Mined ones are
// refused. Where we had recycled the nonce before, filling it is our task: the other system drops what was lost there.
void FaultDriver::resend_external() {
    for (const auto& hash : underpriced_external_)
        std::ignore = dependencies_.network.evict(hash);
    for (const auto& sent : sent_external_) {
        if (!is_recyclable(sent)) std::ignore = dependencies_.network.inject(sent.raw);
    }
}

bool FaultDriver::is_recyclable(const ExternalTx& sent) {
    return run_now(dependencies_.database.truth().lowest_recyclable(sent.submitter, sent.nonce)).value() == sent.nonce;
}

void FaultDriver::end_fault_phase() {
    faults_ended_ = true;
    if (dependencies_.settings.faults.common != CommonOutage::none) end_common_outage();
    for (const auto& submitter : dependencies_.submitters)
        dependencies_.network.ledger().fund(*submitter.evm_address(), ample_balance);
    dependencies_.database.faults() = {};
    dependencies_.database.set_down(false);
    correct_database_clock();
    for (std::size_t node_index = 0; node_index < dependencies_.cluster.size(); ++node_index) {
        if (auto* node = dependencies_.cluster.at(node_index); node != nullptr && node->is_leaving())
            dependencies_.cluster.kill(node_index);
        dependencies_.cluster.start(node_index);
        auto& process = dependencies_.cluster.at(node_index)->process();
        dependencies_.world.resume(process);
        process.set_clock_skew({});
        dependencies_.database.cut_off(process.name(), false);
        for (const auto& endpoint : dependencies_.network.endpoints())
            endpoint->reconnect(process.name());
    }
    for (const auto& endpoint : dependencies_.network.endpoints()) {
        endpoint->options().faults = {};
        endpoint->refuse_sends(std::nullopt);
        endpoint->set_down(false);
        endpoint->lag_blocks(0);
        endpoint->lag_time({});
        endpoint->thaw();
    }
    break_permanently();
    throttle_first_endpoint();
    if (dependencies_.settings.lane.mode == lane::NonceMode::relaxed) resend_external();
}

}  // namespace fencepost::sim
