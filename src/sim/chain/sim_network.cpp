#include "sim/chain/sim_network.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/assert.hpp"

namespace fencepost::sim {

// A send in transit: latency one way, processing by the endpoint, and latency back.
struct SimNetwork::Transmission {
    std::string node;
    SimEndpoint* endpoint;
    std::vector<WireTx> transactions;
    std::vector<std::size_t> entries;  // indexes into the record
    SendFault fault;
    Duration way;
    Answer answer;
    std::vector<Verdict> verdicts{};  // of the first transactions, so far

    [[nodiscard]] bool is_complete() const { return verdicts.size() == transactions.size(); }
    [[nodiscard]] const WireTx& current() const { return transactions[verdicts.size()]; }
};

SimNetwork::SimNetwork(World& world, NetworkOptions options)
    : world_(world),
      process_(world.start_node("chain")),
      clock_(process_),
      random_(world.random().fork()),
      options_(options),
      ledger_(options_.ledger, world.unix_now()),
      head_wakeups_(std::make_shared<HeadWakeups>()) {}

SimEndpoint& SimNetwork::add_endpoint(EndpointOptions options) {
    const auto has_name = [&options](const auto& endpoint) { return endpoint->name() == options.name; };
    FP_ASSERT(std::ranges::none_of(endpoints_, has_name), "two endpoints named {}", options.name);
    endpoints_.push_back(std::make_unique<SimEndpoint>(world_, ledger_, head_wakeups_, std::move(options)));
    return *endpoints_.back();
}

SimEndpoint& SimNetwork::add_sequencer(EndpointOptions options) {
    FP_ASSERT(!sequencer_, "a chain has one sequencer");
    options.gossips = false;
    sequencer_ = std::make_unique<SimEndpoint>(world_, ledger_, head_wakeups_, std::move(options));
    return *sequencer_;
}

std::vector<SimEndpoint*> SimNetwork::pools() const {
    std::vector<SimEndpoint*> all;
    all.reserve(endpoints_.size() + 1);
    for (const auto& endpoint : endpoints_)
        all.push_back(endpoint.get());
    if (sequencer_) all.push_back(sequencer_.get());
    return all;
}

void SimNetwork::after(Duration delay, std::function<void()> action) {
    process_.set_timer(world_.now() + delay,
                       [action = std::move(action)](boost::system::error_code /*never*/) { action(); });
}

void SimNetwork::transmit(const std::string& node, SimEndpoint& endpoint, std::vector<WireTx> transactions,
                          Answer answer) {
    auto transmission = std::make_shared<Transmission>(Transmission{.node = node,
                                                                    .endpoint = &endpoint,
                                                                    .transactions = std::move(transactions),
                                                                    .entries = {},
                                                                    .fault = endpoint.next_send_fault(),
                                                                    .way = endpoint.draw_latency() / 2,
                                                                    .answer = std::move(answer)});
    if (!endpoint.is_reachable_from(node)) transmission->fault = SendFault::unreachable;
    if (transmission->fault != SendFault::unreachable) {
        for (const auto& transaction : transmission->transactions) {
            transmission->entries.push_back(record_.left(
                {.node = node, .endpoint = endpoint.name(), .transaction = transaction, .left_at = world_.now()}));
        }
    }
    if (transmission->fault == SendFault::lost) return endpoint.count(SendFault::lost);
    after(transmission->way, [this, transmission] { arrive(transmission); });
}

void SimNetwork::arrive(const std::shared_ptr<Transmission>& transmission) {
    const bool gave_up = !transmission->endpoint->is_reachable_from(transmission->node);
    if (gave_up) transmission->fault = SendFault::unreachable;
    transmission->endpoint->count(transmission->fault);
    for (const auto& transaction : transmission->transactions)
        arrivals_.try_emplace(transaction.hash, arrivals_.size() + 1);
    evaluate_rest(transmission);
}

void SimNetwork::evaluate_rest(const std::shared_ptr<Transmission>& transmission) {
    const bool left = transmission->fault != SendFault::unreachable;
    const bool asked = left && transmission->fault != SendFault::rate_limited;
    while (!transmission->is_complete()) {
        const auto index = transmission->verdicts.size();
        auto verdict = evaluate(*transmission, transmission->current());
        if (left && index < transmission->entries.size()) {
            record_.arrived(transmission->entries[index], world_.now(),
                            asked ? std::optional(verdict.outcome) : std::nullopt);
        }
        if (transmission->endpoint->options().destination == Destination::blocks && is_held(verdict.outcome)) {
            return wait_for_block(transmission, std::move(verdict));
        }
        transmission->verdicts.push_back(std::move(verdict));
    }
    if (transmission->fault == SendFault::timed_out_after_arriving) return;
    after(transmission->way, [transmission] { transmission->answer(transmission->verdicts); });
}

Verdict SimNetwork::evaluate(const Transmission& transmission, const WireTx& transaction) {
    if (transmission.fault == SendFault::unreachable) return {SendOutcome::unknown, "unreachable"};
    if (transmission.fault == SendFault::rate_limited) return {SendOutcome::unknown, "429 Too Many Requests"};
    auto& endpoint = *transmission.endpoint;
    auto verdict = deliver(endpoint, transaction);
    if (verdict.outcome == SendOutcome::accepted) gossip(endpoint, transaction);
    if (transmission.fault == SendFault::duplicated) verdict = deliver(endpoint, transaction);
    auto answer = endpoint.answer_to(transaction, std::move(verdict));
    recheck_locals_later(endpoint);
    return answer;
}

Verdict SimNetwork::deliver(SimEndpoint& endpoint, const WireTx& transaction) {
    if (endpoint.refusal()) return *endpoint.refusal();
    switch (endpoint.options().destination) {
        case Destination::pool:
            return add_to_pool(endpoint, transaction);
        case Destination::blocks: {
            const auto base_fee = ledger_.base_fee_after(endpoint.view().head());
            if (transaction.decoded && !(*transaction.decoded)->tip_at(base_fee))
                return {SendOutcome::fee_below_base_fee, "max fee per gas less than block base fee"};
            return add_to_pool(endpoint, transaction);
        }
        case Destination::sequencer:
            break;
    }
    FP_ASSERT(sequencer_, "{} has no sequencer to forward to", endpoint.name());
    auto verdict = add_to_pool(*sequencer_, transaction);
    verdict = sequencer_->answer_to(transaction, std::move(verdict));
    recheck_locals_later(*sequencer_);
    // A copy for readers; the result of its own pool is only logged (op-geth).
    const bool keeps_copy = endpoint.options().display != PoolDisplay::hides;
    if (keeps_copy && verdict.outcome == SendOutcome::accepted) static_cast<void>(add_to_pool(endpoint, transaction));
    return verdict;
}

Verdict SimNetwork::add_to_pool(SimEndpoint& endpoint, const WireTx& transaction) {
    auto verdict = endpoint.receive(transaction);
    if (endpoint.pool().needs_promotion() && promoting_.insert(&endpoint).second) {
        after(endpoint.options().promotion_delay, [this, &endpoint] {
            promoting_.erase(&endpoint);
            endpoint.promote();
        });
    }
    return verdict;
}

void SimNetwork::recheck_locals_later(SimEndpoint& endpoint) {
    const auto due = endpoint.next_recheck();
    if (!due || !rechecks_.try_emplace(&endpoint, *due).second) return;
    after(*due - world_.now(), [this, &endpoint, due = *due] {
        const auto planned = rechecks_.find(&endpoint);
        if (planned == rechecks_.end() || planned->second != due) return;  // it was restarted meanwhile
        rechecks_.erase(planned);
        for (const auto& transaction : endpoint.missing_locals()) {
            if (add_to_pool(endpoint, transaction).outcome == SendOutcome::accepted) gossip(endpoint, transaction);
        }
        recheck_locals_later(endpoint);
    });
}

void SimNetwork::restart(SimEndpoint& endpoint) {
    endpoint.restart();
    rechecks_.erase(&endpoint);
    recheck_locals_later(endpoint);
}

void SimNetwork::wait_for_block(const std::shared_ptr<Transmission>& transmission, Verdict verdict) {
    waiting_.push_back({transmission, std::move(verdict)});
    after(transmission->endpoint->options().gap_timeout,
          [this, transmission, index = transmission->verdicts.size()] { reject_gapped(transmission, index); });
}

void SimNetwork::answer_included() {
    for (auto& [transmission, verdict] : std::exchange(waiting_, {})) {
        const auto view = transmission->endpoint->view();
        const auto& transaction = **transmission->current().decoded;
        const auto next = view.head().state->account(transaction.sender).nonce;
        if (transaction.nonce >= next) {
            waiting_.push_back({transmission, std::move(verdict)});
            continue;
        }
        // A transaction that is executed already is too late, and so is another one at its nonce.
        if (verdict.outcome != SendOutcome::accepted || !view.executed(transaction.hash)) {
            verdict = {SendOutcome::nonce_too_low,
                       fmt::format("nonce too low: next nonce {}, tx nonce {}", next, transaction.nonce)};
        }
        transmission->verdicts.push_back(std::move(verdict));
        evaluate_rest(transmission);
    }
}

void SimNetwork::reject_gapped(const std::shared_ptr<Transmission>& transmission, std::size_t index) {
    if (transmission->verdicts.size() != index) return;
    auto& endpoint = *transmission->endpoint;
    const auto& transaction = **transmission->current().decoded;
    const auto next = endpoint.pool().next_nonce(transaction.sender, *endpoint.view().head().state);
    if (transaction.nonce < next) return;
    std::erase_if(waiting_, [&transmission](const auto& waiting) { return waiting.transmission == transmission; });
    endpoint.pool().evict(transaction.hash);
    transmission->verdicts.push_back(
        {SendOutcome::nonce_too_high, fmt::format("nonce too high: address {}, tx: {} state: {}",
                                                  transaction.sender.to_checksum(), transaction.nonce, next)});
    evaluate_rest(transmission);
}

void SimNetwork::gossip(SimEndpoint& from, const WireTx& transaction) {
    if (!options_.gossip || !from.options().gossips) return;
    for (const auto& endpoint : endpoints_) {
        auto* to = endpoint.get();
        if (to == &from || !to->options().gossips) continue;
        after(options_.gossip->draw(random_), [this, to, transaction] {
            static_cast<void>(add_to_pool(*to, transaction));  // the verdict has no recipient
        });
    }
}

Verdict SimNetwork::inject(const Bytes& raw) {
    const auto& transaction = ledger_.cache().decode(raw);
    Verdict best{SendOutcome::unknown, "no endpoint"};
    for (const auto& endpoint : endpoints_) {
        auto verdict = deliver(*endpoint, transaction);
        if (!is_held(best.outcome)) best = std::move(verdict);
    }
    for (auto* endpoint : pools())
        endpoint->promote();
    return best;
}

// What reached an endpoint by another way than one of our nodes counts as older.
std::uint64_t SimNetwork::arrival_of(const TxHash& hash) const {
    const auto found = arrivals_.find(hash);
    return found == arrivals_.end() ? 0 : found->second;
}

const SimBlock& SimNetwork::mine() {
    std::vector<SimTxPtr> candidates;
    for (auto* endpoint : pools()) {
        if (!endpoint->options().feeds_miners) continue;
        const auto waiting = endpoint->pool().pending();
        candidates.insert(candidates.end(), waiting.begin(), waiting.end());
    }
    std::ranges::sort(candidates, {}, [this](const SimTxPtr& tx) { return std::pair(arrival_of(tx->hash), tx->hash); });
    const auto& block = ledger_.mine(world_.unix_now(), candidates);
    announce_head();
    return block;
}

void SimNetwork::mine(std::size_t blocks) {
    for (std::size_t i = 0; i < blocks; ++i)
        mine();
}

void SimNetwork::reorg(const Reorg& reorg) {
    const auto result = ledger_.reorg(reorg, world_.unix_now());
    const PoolHead head{.state = *ledger_.head().state,
                        .gas_limit = ledger_.options().gas_limit,
                        .next_base_fee = ledger_.base_fee_after(ledger_.head())};
    for (auto* endpoint : pools()) {
        auto& pool = endpoint->pool();
        for (const auto& transaction : result.dropped)
            pool.evict(transaction->hash);
        if (endpoint->options().destination == Destination::sequencer) continue;
        for (const auto& transaction : result.to_mempool)
            static_cast<void>(pool.add(transaction, head));
        pool.promote(head);
    }
    announce_head();
}

void SimNetwork::announce_head() {
    const auto& hash = ledger_.head().hash();
    world_.note({reinterpret_cast<const char*>(hash.data.data()), hash.data.size()});
    head_wakeups_->notify();
    answer_included();
}

Task<void> SimNetwork::mine_every(Duration interval) {
    for (;;) {
        co_await clock_.sleep_for(interval);
        mine();
    }
}

bool SimNetwork::evict(const TxHash& hash) {
    bool was_there = false;
    for (auto* endpoint : pools())
        was_there = endpoint->pool().evict(hash) || was_there;
    return was_there;
}

}  // namespace fencepost::sim
