#include "sim/chain/sim_endpoint.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include <fmt/format.h>

namespace fencepost::sim {
namespace {

template <typename Fault>
std::optional<Fault> take_first(std::deque<Fault>& script) {
    if (script.empty()) return std::nullopt;
    const Fault fault = script.front();
    script.pop_front();
    return fault;
}

std::chrono::microseconds in_unix_time(Duration duration) {
    return std::chrono::duration_cast<std::chrono::microseconds>(duration);
}

}  // namespace

SimEndpoint::SimEndpoint(World& world, const SimLedger& ledger, std::shared_ptr<HeadBells> bells,
                         EndpointOptions options)
    : world_(world),
      ledger_(ledger),
      bells_(std::move(bells)),
      options_(std::move(options)),
      random_(world.random().fork()),
      pool_(options_.pool) {}

void SimEndpoint::set_down(bool down) {
    down_ = down;
    bells_->ring();
}

void SimEndpoint::cut_off(const std::string& node) { cut_off_.insert(node); }

void SimEndpoint::reconnect(const std::string& node) {
    cut_off_.erase(node);
    bells_->ring();
}

void SimEndpoint::lag_blocks(std::uint64_t blocks) {
    lag_blocks_ = blocks;
    bells_->ring();
}

void SimEndpoint::lag_time(Duration duration) {
    lag_time_ = duration;
    bells_->ring();
}

void SimEndpoint::freeze() { frozen_ = &view().head(); }

void SimEndpoint::thaw() {
    frozen_ = nullptr;
    bells_->ring();
}

void SimEndpoint::script_sends(std::initializer_list<SendFault> faults) {
    send_script_.insert(send_script_.end(), faults);
}

void SimEndpoint::script_reads(std::initializer_list<ReadFault> faults) {
    read_script_.insert(read_script_.end(), faults);
}

bool SimEndpoint::is_reachable_from(const std::string& node) const { return !down_ && !cut_off_.contains(node); }

SendFault SimEndpoint::next_send_fault() {
    const auto scripted = take_first(send_script_);
    return scripted ? *scripted : options_.faults.draw_send(random_);
}

ReadFault SimEndpoint::next_read_fault() {
    const auto scripted = take_first(read_script_);
    return scripted ? *scripted : options_.faults.draw_read(random_);
}

SimView SimEndpoint::view() const {
    if (frozen_ != nullptr) return {ledger_, *frozen_};
    const UnixTime as_of = world_.unix_now() - in_unix_time(lag_time_);
    const auto& steps = ledger_.steps();
    const auto seen =
        std::ranges::find_if(std::views::reverse(steps), [as_of](const auto& s) { return s.at <= as_of; });
    const SimBlock* head = seen == std::views::reverse(steps).end() ? steps.front().head : seen->head;
    const std::uint64_t height = head->number().value();
    return {ledger_, *ledger_.ancestor(*head, BlockNumber(height - std::min(height, lag_blocks_)))};
}

std::optional<UnixTime> SimEndpoint::next_step() const {
    if (frozen_ != nullptr || lag_time_ == Duration{}) return std::nullopt;
    const UnixTime as_of = world_.unix_now() - in_unix_time(lag_time_);
    const auto next = std::ranges::upper_bound(ledger_.steps(), as_of, {}, &SimLedger::Step::at);
    if (next == ledger_.steps().end()) return std::nullopt;
    return next->at + in_unix_time(lag_time_);
}

SimMempool& SimEndpoint::pool() {
    const auto& state = view().head().state;
    if (state != pool_synced_to_) pool_.sync(*state);
    pool_synced_to_ = state;
    return pool_;
}

bool SimEndpoint::remembers(const SimBlock& block) const {
    return !options_.history || view().head().number().above(block.number()) <= *options_.history;
}

Verdict SimEndpoint::receive(const WireTx& transaction) {
    if (refusal_) return *refusal_;
    if (!transaction.decoded) return {SendOutcome::rejected, transaction.decoded.error().what};
    const auto& decoded = *transaction.decoded;
    const auto& ledger = ledger_.options();
    if (decoded->chain_id.value_or(ledger.chain_id) != ledger.chain_id) {
        return {SendOutcome::invalid_signature,
                fmt::format("invalid sender: the transaction is for chain {}, this is {}", *decoded->chain_id,
                            ledger.chain_id)};
    }
    return pool().add(decoded, *view().head().state, ledger.gas_limit);
}

const BlockBuilder& SimEndpoint::pending() {
    const auto& mempool = pool();
    const auto& head = view().head();
    if (!pending_ || pending_->head != &head || pending_->revision != mempool.revision() ||
        pending_->state != head.state) {
        auto builder = ledger_.build_on(head);
        builder.add_by_price(mempool.contents());
        pending_.emplace(Pending{&head, mempool.revision(), head.state, std::move(builder)});
    }
    return pending_->builder;
}

}  // namespace fencepost::sim
