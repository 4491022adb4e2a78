#include "sim/simulation/fault_driver.hpp"

#include <algorithm>

namespace fencepost::sim {

using namespace std::chrono_literals;

FaultDriver::FaultDriver(const Parts& parts)
    : parts_(parts),
      process_(parts.world.start_node("faults")),
      clock_(process_),
      random_(parts.world.random().fork()) {
    const auto& plan = parts.settings.faults;
    parts.database.faults() = plan.database;
    for (const auto& endpoint : parts.network.endpoints())
        endpoint->options().faults = plan.chain;
    const auto spawn = [this](Duration mean, std::string name, Act act) {
        if (mean != Duration{}) parts_.world.spawn(process_, every(mean, std::move(name), act));
    };
    spawn(plan.crash, "crashes", &FaultDriver::crash);
    spawn(plan.pause, "pauses", &FaultDriver::pause);
    spawn(plan.clock_jump, "clock jumps", &FaultDriver::jump_clock);
    spawn(plan.partition, "partitions", &FaultDriver::cut_off);
    spawn(plan.database_outage, "database outages", &FaultDriver::stop_database);
    spawn(plan.endpoint_outage, "endpoint outages", &FaultDriver::stop_endpoint);
    spawn(plan.endpoint_lag, "lagging endpoints", &FaultDriver::lag_endpoint);
    spawn(plan.eviction, "evictions", &FaultDriver::evict);
    spawn(plan.reorg, "reorgs", &FaultDriver::reorg);
    spawn(plan.fee_spike, "fee spikes", &FaultDriver::spike_fees);
    spawn(plan.outside_use, "uses of a key from outside", &FaultDriver::use_key_outside);
}

Task<void> FaultDriver::every(Duration mean, std::string name, Act act) {
    while (true) {
        co_await clock_.sleep_for(up_to(2 * mean));
        if (calm_) co_return;
        ++parts_.counts[name];
        (this->*act)();
    }
}

void FaultDriver::later(Duration delay, std::function<void()> action) {
    parts_.world.spawn(process_, wait_and(delay, std::move(action)));
}

Task<void> FaultDriver::wait_and(Duration delay, std::function<void()> action) {
    co_await clock_.sleep_for(delay);
    if (!calm_) action();
}

SimEndpoint& FaultDriver::any_endpoint() {
    return parts_.network.endpoint(random_.below(parts_.network.endpoints().size()));
}

// Sometimes it is up again at once, sometimes its lease expires first.
void FaultDriver::crash() {
    const auto slot = random_.below(parts_.cluster.size());
    parts_.cluster.kill(slot);
    later(up_to(2 * parts_.settings.host.lease), [this, slot] { parts_.cluster.start(slot); });
}

void FaultDriver::pause() {
    auto* node = any_node();
    if (node == nullptr) return;
    parts_.world.pause(node->process());
    auto* process = &node->process();
    later(up_to(3 * parts_.settings.host.lease), [this, process] { parts_.world.resume(*process); });
}

void FaultDriver::jump_clock() {
    auto* node = any_node();
    if (node != nullptr) node->process().set_clock_skew(up_to(2h) - Duration(1h));
}

void FaultDriver::cut_off() {
    auto* node = any_node();
    if (node == nullptr) return;
    const auto name = node->process().name();
    const auto end = up_to(3 * parts_.settings.host.lease);
    if (random_.one_in(3)) {
        auto& endpoint = any_endpoint();
        endpoint.cut_off(name);
        return later(end, [&endpoint, name] { endpoint.reconnect(name); });
    }
    parts_.database.cut_off(name, true);
    later(end, [this, name] { parts_.database.cut_off(name, false); });
}

void FaultDriver::stop_database() {
    parts_.database.set_down(true);
    later(up_to(2 * parts_.settings.host.lease), [this] { parts_.database.set_down(false); });
}

void FaultDriver::stop_endpoint() {
    auto& endpoint = any_endpoint();
    endpoint.set_down(true);
    later(up_to(30s), [&endpoint] { endpoint.set_down(false); });
}

void FaultDriver::lag_endpoint() {
    auto& endpoint = any_endpoint();
    switch (random_.below(3)) {
        case 0:
            endpoint.lag_blocks(random_.below(6));
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
}

// One that left a node not long ago.
void FaultDriver::evict() {
    const auto& sent = parts_.network.record().entries();
    if (sent.empty()) return;
    const auto back = random_.below(std::min<std::size_t>(sent.size(), 20));
    parts_.network.evict(sent[sent.size() - 1 - back].transaction.hash);
}

void FaultDriver::reorg() {
    const auto deepest = std::min(parts_.settings.faults.deepest_reorg, parts_.network.ledger().deepest_reorg());
    if (deepest == 0) return;
    const auto depth = 1 + random_.below(deepest);
    if (depth > parts_.settings.lane.confirmations_required) ++parts_.counts["reorgs beyond the required depth"];
    parts_.network.reorg({.depth = depth, .fate = static_cast<Reorg::Fate>(random_.below(3))});
    parts_.chain.look();
}

void FaultDriver::spike_fees() {
    const auto& head = parts_.network.ledger().head();
    const auto now = parts_.network.ledger().base_fee_after(head);
    parts_.network.ledger().set_next_base_fee(Wei(now * Uint256(2 + random_.below(10))));
}

void FaultDriver::use_key_outside() {
    const auto& submitter = parts_.submitters[random_.below(parts_.submitters.size())];
    const auto next = parts_.network.ledger().head().state->account(*submitter.evm_address()).nonce;
    const auto fee = Wei(parts_.network.ledger().base_fee_after(parts_.network.ledger().head()) * Uint256(4));
    const auto signed_tx = parts_.signer.sign_now({.from = submitter,
                                                   .nonce = next,
                                                   .to = "0x00000000000000000000000000000000000000bb",
                                                   .value = Wei(Uint256(1'000'000 + outsiders_.size())),
                                                   .data = {},
                                                   .gas_limit = Gas(21'000),
                                                   .fees = DynamicFee{fee, fee}});
    used_outside_.insert(submitter);
    outsiders_.insert(signed_tx.hash);
    parts_.network.inject(signed_tx.raw);
}

void FaultDriver::calm_down() {
    calm_ = true;
    parts_.database.faults() = {};
    parts_.database.set_down(false);
    for (std::size_t slot = 0; slot < parts_.cluster.size(); ++slot) {
        parts_.cluster.start(slot);
        auto& process = parts_.cluster.at(slot)->process();
        parts_.world.resume(process);
        process.set_clock_skew({});
        parts_.database.cut_off(process.name(), false);
        for (const auto& endpoint : parts_.network.endpoints())
            endpoint->reconnect(process.name());
    }
    for (const auto& endpoint : parts_.network.endpoints()) {
        endpoint->options().faults = {};
        endpoint->set_down(false);
        endpoint->lag_blocks(0);
        endpoint->lag_time({});
        endpoint->thaw();
    }
}

}  // namespace fencepost::sim
