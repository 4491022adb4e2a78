#include "sim/simulation/fault_driver.hpp"

#include <algorithm>

#include "sim/store/at_once.hpp"

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
    spawn(plan.orderly_leave, "orderly leaves", &FaultDriver::leave);
    spawn(plan.pause, "pauses", &FaultDriver::pause);
    spawn(plan.clock_jump, "clock jumps", &FaultDriver::jump_clock);
    spawn(plan.partition, "partitions", &FaultDriver::cut_off);
    spawn(plan.database_clock_step, "steps of the database's clock", &FaultDriver::step_database_clock);
    spawn(plan.database_outage, "database outages", &FaultDriver::stop_database);
    spawn(plan.endpoint_outage, "endpoint outages", &FaultDriver::stop_endpoint);
    spawn(plan.endpoint_lag, "lagging endpoints", &FaultDriver::lag_endpoint);
    spawn(plan.eviction, "evictions", &FaultDriver::evict);
    spawn(plan.reorg, "reorgs", &FaultDriver::reorg);
    spawn(plan.fee_spike, "fee spikes", &FaultDriver::spike_fees);
    spawn(plan.outside_use, "uses of a key from outside", &FaultDriver::use_key_outside);
    spawn(plan.refusal, "endpoints that refuse everything for good", &FaultDriver::refuse);
    spawn(plan.pay_day, "pay days", &FaultDriver::pay);
    spawn(plan.other_system, "transactions of the other system", &FaultDriver::use_shared_key);
    plan_lasting_faults();
    plan_common_outage();
}

// After its lanes have opened, mostly.
void FaultDriver::plan_lasting_faults() {
    const auto& plan = parts_.settings.faults;
    if (plan.one_answer_in_ten) ++parts_.counts["endpoints that answer one call in ten"];
    hold_back_answers();
    if (plan.lasting == LastingFault::none) return;
    ++parts_.counts[plan.lasting == LastingFault::chain ? "nodes that lost their chain for good"
                                                        : "nodes that lost their signer for good"];
    later(up_to(parts_.settings.stormy / 2), [this] { break_for_good(); });
}

void FaultDriver::break_for_good() {
    const auto fault = parts_.settings.faults.lasting;
    if (fault != LastingFault::none) parts_.cluster.break_for_good(0, fault);
}

void FaultDriver::hold_back_answers() {
    if (parts_.settings.faults.one_answer_in_ten) parts_.network.endpoint(0).options().faults = {.unreachable = 900};
}

// After its lanes have opened, mostly.
void FaultDriver::plan_common_outage() {
    if (parts_.settings.faults.common == CommonOutage::none) return;
    later(1min + up_to(1min), [this] {
        begin_common_outage();
        later(common_outage_lasts, [this] { end_common_outage(); });
    });
}

void FaultDriver::begin_common_outage() {
    const auto nodes = parts_.cluster.size();
    switch (parts_.settings.faults.common) {
        case CommonOutage::none:
            return;
        case CommonOutage::chain:
            ++parts_.counts["outages of the chain for all nodes"];
            break_all(LastingFault::chain);
            return parts_.outage.begin(OutageChecker::most_raises(nodes));
        case CommonOutage::signer:
            ++parts_.counts["outages of the signer for all nodes"];
            break_all(LastingFault::signer);
            return parts_.outage.begin(OutageChecker::most_raises(nodes));
        case CommonOutage::answers:
            ++parts_.counts["times in which all endpoints answer one call in ten"];
            for (const auto& endpoint : parts_.network.endpoints())
                endpoint->options().faults = {.unreachable = 900};
            return parts_.outage.begin(OutageChecker::most_raises_by_turns(nodes));
    }
}

void FaultDriver::break_all(LastingFault fault) {
    for (std::size_t slot = 0; slot < parts_.cluster.size(); ++slot)
        parts_.cluster.break_for_good(slot, fault);
}

void FaultDriver::end_common_outage() {
    parts_.outage.end();
    for (std::size_t slot = 0; slot < parts_.cluster.size(); ++slot)
        parts_.cluster.mend(slot);
    for (const auto& endpoint : parts_.network.endpoints())
        endpoint->options().faults = parts_.settings.faults.chain;
}

Task<void> FaultDriver::every(Duration mean, std::string name, Act act) {
    while (true) {
        co_await clock_.sleep_for(up_to(2 * mean));
        if (calm_) co_return;
        if ((this->*act)()) ++parts_.counts[name];
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
bool FaultDriver::crash() {
    const auto slot = random_.below(parts_.cluster.size());
    if (parts_.cluster.at(slot) == nullptr) return false;
    parts_.cluster.kill(slot);
    later(up_to(2 * parts_.settings.host.lease), [this, slot] { parts_.cluster.start(slot); });
    return true;
}

// As a rolling upgrade: it drains and is stopped, drained or not; the next version starts in its place.
bool FaultDriver::leave() {
    const auto slot = random_.below(parts_.cluster.size());
    auto* node = parts_.cluster.at(slot);
    if (node == nullptr || node->is_leaving()) return false;
    node->leave();
    later(up_to(parts_.settings.host.lease), [this, slot, node] {
        if (parts_.cluster.at(slot) != node) return;
        parts_.cluster.kill(slot);
        parts_.cluster.start(slot);
    });
    return true;
}

bool FaultDriver::pause() {
    auto* node = any_node();
    if (node == nullptr || node->process().is_paused()) return false;
    auto* process = &node->process();
    parts_.world.pause(*process);
    later(up_to(3 * parts_.settings.host.lease), [this, process] { parts_.world.resume(*process); });
    return true;
}

bool FaultDriver::jump_clock() {
    auto* node = any_node();
    if (node == nullptr) return false;
    node->process().set_clock_skew(up_to(2h) - Duration(1h));
    return true;
}

// Forward it stays; back it is put right after a while, for until then no lease of a node that died can be taken over.
bool FaultDriver::step_database_clock() {
    if (clock_before_) return false;
    constexpr Duration step = 1h;
    const auto before = parts_.database.clock_off_by();
    const bool forward = random_.one_in(2);
    parts_.database.set_clock(forward ? before + step : before - step);
    if (forward) return true;
    clock_before_ = before;
    later(up_to(1min), [this] { correct_database_clock(); });
    return true;
}

void FaultDriver::correct_database_clock() {
    if (clock_before_) parts_.database.set_clock(*std::exchange(clock_before_, std::nullopt));
}

// From the database, from one endpoint, or from the whole chain.
bool FaultDriver::cut_off() {
    auto* node = any_node();
    if (node == nullptr) return false;
    const auto name = node->process().name();
    const auto end = up_to(3 * parts_.settings.host.lease);
    const auto what = random_.below(3);
    if (what == 0) {
        parts_.database.cut_off(name, true);
        later(end, [this, name] { parts_.database.cut_off(name, false); });
        return true;
    }
    // What is cut off for good is not reconnected by accident.
    if (parts_.settings.faults.lasting == LastingFault::chain && node == parts_.cluster.at(0)) return false;
    auto& one = any_endpoint();
    for (const auto& endpoint : parts_.network.endpoints()) {
        if (what == 1 && endpoint.get() != &one) continue;
        endpoint->cut_off(name);
        later(end, [&endpoint, name] { endpoint->reconnect(name); });
    }
    return true;
}

bool FaultDriver::stop_database() {
    if (parts_.database.is_down()) return false;
    parts_.database.set_down(true);
    later(up_to(2 * parts_.settings.host.lease), [this] { parts_.database.set_down(false); });
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

// One that waits, if there is any.
bool FaultDriver::evict() {
    const auto waiting = any_endpoint().pool().contents();
    return !waiting.empty() && parts_.network.evict(waiting[random_.below(waiting.size())]->hash);
}

bool FaultDriver::reorg() {
    const auto deepest = std::min(parts_.settings.faults.deepest_reorg, parts_.network.ledger().deepest_reorg());
    if (deepest == 0) return false;
    const auto depth = 1 + random_.below(deepest);
    const bool depth_decides = parts_.settings.lane.finality == lane::FinalityRule::depth;
    if (depth_decides && depth > parts_.settings.lane.confirmations_required)
        ++parts_.counts["reorgs beyond the required depth"];
    parts_.network.reorg({.depth = depth, .fate = static_cast<Reorg::Fate>(random_.below(3))});
    parts_.chain.look();
    return true;
}

// Of what the chain began with, for empty blocks bring the price down to nothing in the meantime.
bool FaultDriver::spike_fees() {
    spike_ = Wei(parts_.settings.network.ledger.base_fee->value() * Uint256(2 + random_.below(20)));
    spiked_blocks_ = 1 + random_.below(10);
    return true;
}

void FaultDriver::price_next_block() {
    if (spiked_blocks_ == 0 || calm_) return;
    --spiked_blocks_;
    parts_.network.ledger().set_next_base_fee(spike_);
}

// Mostly one that is in use at this moment, so that a nonce is taken that was given.
const SubmitterId& FaultDriver::any_key() {
    const auto& keys = parts_.submitters;
    const auto waiting = any_endpoint().pool().contents();
    if (!waiting.empty() && !random_.one_in(4)) {
        const auto& sender = waiting[random_.below(waiting.size())]->sender;
        const auto in_use = std::ranges::find(keys, sender, [](const auto& key) { return *key.evm_address(); });
        if (in_use != keys.end()) return *in_use;
    }
    return keys[random_.below(keys.size())];
}

// Not before we know the key: what was mined before the first contact is taken for final, and a reorg that drops it
// leaves a nonce below ours that only a person can fill.
bool FaultDriver::use_key_outside() {
    const auto& submitter = any_key();
    if (!at_once(parts_.database.truth().submitter(submitter)).value().next_nonce) return false;
    if (!send_outside(submitter, parts_.network.ledger().head().state->account(*submitter.evm_address()).nonce))
        return false;
    used_outside_.insert(submitter);
    return true;
}

// It asks an endpoint for its nonce, as it should, or takes the first that is not mined.
bool FaultDriver::use_shared_key() {
    if (random_.one_in(2) && block_a_nonce_given_back()) return true;
    const auto& submitter = parts_.submitters[random_.below(parts_.submitters.size())];
    const auto& state = *parts_.network.ledger().head().state;
    const auto waiting = any_endpoint().pool().next_nonce(*submitter.evm_address(), state);
    return send_outside(submitter, random_.one_in(3) ? state.account(*submitter.evm_address()).nonce : waiting);
}

// It sends at a nonce that we gave back, for too little, and gives up after a while: meanwhile we may have gone past.
bool FaultDriver::block_a_nonce_given_back() {
    for (const auto& submitter : parts_.submitters) {
        const auto count = parts_.network.ledger().head().state->account(*submitter.evm_address()).nonce;
        const auto free = at_once(parts_.database.truth().lowest_recyclable(submitter, count)).value();
        if (!free) continue;
        const auto cheap = sign_outside(submitter, *free, Wei(Uint256(1 + cheap_ones_.size())));
        if (parts_.network.inject(cheap.raw).outcome != SendOutcome::accepted) continue;
        outsiders_.insert(cheap.hash);
        cheap_ones_.push_back(cheap.hash);
        later(up_to(30s), [this, hash = cheap.hash] { std::ignore = parts_.network.evict(hash); });
        ++parts_.counts["nonces given back and blocked"];
        return true;
    }
    return false;
}

bool FaultDriver::send_outside(const SubmitterId& submitter, Nonce nonce) {
    const auto fee = Wei(parts_.network.ledger().base_fee_after(parts_.network.ledger().head()) * Uint256(4));
    const auto signed_tx = sign_outside(submitter, nonce, fee);
    if (parts_.network.inject(signed_tx.raw).outcome != SendOutcome::accepted) return false;
    outsiders_.insert(signed_tx.hash);
    sent_outside_.push_back({submitter, nonce, signed_tx.raw});
    return true;
}

SignedTransaction FaultDriver::sign_outside(const SubmitterId& submitter, Nonce nonce, Wei fee) {
    return parts_.signer.sign_now({.from = submitter,
                                   .nonce = nonce,
                                   .to = "0x00000000000000000000000000000000000000bb",
                                   .value = Wei(Uint256(1'000'000 + outsiders_.size())),
                                   .data = {},
                                   .gas_limit = Gas(21'000),
                                   .fees = DynamicFee{fee, fee}});
}

// One endpoint alone must not be believed; where all of them say so, the nonce is given up, and its filler is refused
// like the rest, until they think better of it.
bool FaultDriver::refuse() {
    const bool all = random_.one_in(2);
    auto& one = any_endpoint();
    for (const auto& endpoint : parts_.network.endpoints()) {
        if (!all && endpoint.get() != &one) continue;
        endpoint->refuse_sends(Verdict{SendOutcome::over_block_gas_limit, "exceeds block gas limit"});
        later(up_to(1min), [&endpoint] { endpoint->refuse_sends(std::nullopt); });
    }
    return true;
}

bool FaultDriver::pay() {
    for (const auto& submitter : parts_.submitters)
        parts_.network.ledger().fund(*submitter.evm_address(), *parts_.settings.purse);
    return true;
}

// The other system looks after its transactions, as we do after ours; where it did not, ours above would wait for it
// for ever. Those that are mined are refused. But a nonce that we gave back before it came along is also ours to fill:
// there it gives up what got lost.
void FaultDriver::send_again_outside() {
    for (const auto& hash : cheap_ones_)
        std::ignore = parts_.network.evict(hash);
    for (const auto& sent : sent_outside_) {
        if (!is_free_to_us(sent)) std::ignore = parts_.network.inject(sent.raw);
    }
}

bool FaultDriver::is_free_to_us(const SentOutside& sent) {
    return at_once(parts_.database.truth().lowest_recyclable(sent.submitter, sent.nonce)).value() == sent.nonce;
}

void FaultDriver::calm_down() {
    calm_ = true;
    if (parts_.settings.faults.common != CommonOutage::none) end_common_outage();
    for (const auto& submitter : parts_.submitters)
        parts_.network.ledger().fund(*submitter.evm_address(), plenty);
    parts_.database.faults() = {};
    parts_.database.set_down(false);
    correct_database_clock();
    for (std::size_t slot = 0; slot < parts_.cluster.size(); ++slot) {
        if (auto* node = parts_.cluster.at(slot); node != nullptr && node->is_leaving()) parts_.cluster.kill(slot);
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
        endpoint->refuse_sends(std::nullopt);
        endpoint->set_down(false);
        endpoint->lag_blocks(0);
        endpoint->lag_time({});
        endpoint->thaw();
    }
    break_for_good();
    hold_back_answers();
    if (parts_.settings.lane.mode == lane::NonceMode::relaxed) send_again_outside();
}

}  // namespace fencepost::sim
