#include "sim/chain/sim_endpoint.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "base/assert.hpp"

namespace fencepost::sim {
namespace {

template <typename Fault>
std::optional<Fault> take_first(std::deque<Fault>& script) {
    if (script.empty()) return std::nullopt;
    const Fault fault = script.front();
    script.pop_front();
    return fault;
}

constexpr Duration first_recheck = std::chrono::seconds(10);
constexpr Duration recheck_interval = std::chrono::minutes(1);

std::chrono::microseconds in_unix_time(Duration duration) {
    return std::chrono::duration_cast<std::chrono::microseconds>(duration);
}

}  // namespace

SimEndpoint::SimEndpoint(World& world, const SimLedger& ledger, std::shared_ptr<HeadWakeups> head_wakeups,
                         EndpointOptions options)
    : world_(world),
      ledger_(ledger),
      head_wakeups_(std::move(head_wakeups)),
      options_(std::move(options)),
      random_(world.random().fork()),
      pool_(options_.pool),
      started_at_(world.now()) {}

void SimEndpoint::set_down(bool down) {
    down_ = down;
    head_wakeups_->notify();
}

void SimEndpoint::cut_off(const std::string& node) { cut_off_.insert(node); }

void SimEndpoint::reconnect(const std::string& node) {
    cut_off_.erase(node);
    head_wakeups_->notify();
}

void SimEndpoint::lag_blocks(std::uint64_t blocks) {
    lag_blocks_ = blocks;
    head_wakeups_->notify();
}

void SimEndpoint::lag_time(Duration duration) {
    lag_time_ = duration;
    head_wakeups_->notify();
}

void SimEndpoint::freeze() { frozen_ = &view().head(); }

void SimEndpoint::thaw() {
    frozen_ = nullptr;
    head_wakeups_->notify();
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

PoolHead SimEndpoint::pool_head(const SimView& view) const {
    return {.state = *view.head().state,
            .gas_limit = ledger_.options().gas_limit,
            .next_base_fee = ledger_.base_fee_after(view.head())};
}

SimMempool& SimEndpoint::pool() {
    const auto current = view();
    const std::pair head(&current.head(), current.head().state);
    if (head != pool_synced_to_) pool_.sync(pool_head(current));
    pool_synced_to_ = head;
    return pool_;
}

void SimEndpoint::promote() {
    auto& synced = pool();
    if (synced.needs_promotion()) synced.promote(pool_head(view()));
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
    auto verdict = pool().add(decoded, pool_head(view()));
    if (options_.display == PoolDisplay::keeps_dropped && is_held(verdict.outcome))
        ever_taken_.emplace(decoded->hash, decoded);
    return verdict;
}

Verdict SimEndpoint::answer_to(const WireTx& transaction, Verdict verdict) {
    using enum TemporaryRefusals;
    const bool is_success = verdict.outcome == SendOutcome::accepted || verdict.is_temporary;
    if (options_.temporary_refusals == honest || !is_success) return verdict;
    if (options_.temporary_refusals == hidden_and_retried) locals_.track(*transaction.decoded);
    return {};
}

std::vector<WireTx> SimEndpoint::missing_locals() {
    std::vector<WireTx> missing;
    for (const auto& transaction : locals_.recheck(pool(), *view().head().state)) {
        missing.push_back({.hash = transaction->hash,
                           .raw = std::shared_ptr<const Bytes>(transaction, &transaction->raw),
                           .decoded = transaction});
    }
    return missing;
}

std::optional<Instant> SimEndpoint::next_recheck() const {
    if (locals_.empty()) return std::nullopt;
    const Instant first = started_at_ + first_recheck;
    if (world_.now() < first) return first;
    return first + ((world_.now() - first) / recheck_interval + 1) * recheck_interval;
}

void SimEndpoint::restart() {
    pool().drop_all();
    started_at_ = world_.now();
}

SimTxPtr SimEndpoint::visible(const TxHash& hash) {
    if (options_.display == PoolDisplay::hides) return nullptr;
    if (auto waiting = pool().find(hash)) return waiting;
    const auto known = ever_taken_.find(hash);
    return known == ever_taken_.end() ? nullptr : known->second;
}

SimTxPtr SimEndpoint::visible_at(const Address& sender, Nonce nonce) {
    return options_.display == PoolDisplay::hides ? nullptr : pool().at(sender, nonce);
}

Nonce SimEndpoint::visible_count(const Address& sender) {
    const auto& state = *view().head().state;
    const Nonce mined = state.account(sender).nonce;
    switch (options_.display) {
        case PoolDisplay::hides:
            return mined;
        case PoolDisplay::counts_gaps: {
            const auto highest = pool().highest_nonce(sender);
            return highest ? std::max(mined, highest->next()) : mined;
        }
        case PoolDisplay::shows:
        case PoolDisplay::keeps_dropped:
            return pool().next_nonce(sender, state);
    }
    FP_UNREACHABLE();
}

const BlockBuilder& SimEndpoint::pending() {
    const auto& mempool = pool();
    const auto& head = view().head();
    if (!pending_ || pending_->head != &head || pending_->revision != mempool.revision() ||
        pending_->state != head.state) {
        auto builder = ledger_.build_on(head);
        if (options_.display != PoolDisplay::hides) builder.add_by_price(mempool.pending());
        pending_.emplace(Pending{&head, mempool.revision(), head.state, std::move(builder)});
    }
    return pending_->builder;
}

}  // namespace fencepost::sim
