#include "sim/chain/sim_network.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"

namespace fencepost::sim {

// A call that sends: one way there, judged, and one way back.
struct SimNetwork::Parcel {
    std::string node;
    SimEndpoint* endpoint;
    std::vector<WireTx> transactions;
    std::vector<std::size_t> entries;  // of the record
    SendFault fault;
    Duration way;
    Answer answer;
};

SimNetwork::SimNetwork(World& world, NetworkOptions options)
    : world_(world),
      process_(world.start_node("chain")),
      clock_(process_),
      random_(world.random().fork()),
      options_(options),
      ledger_(options_.ledger, world.unix_now()),
      bells_(std::make_shared<HeadBells>()) {}

SimEndpoint& SimNetwork::add_endpoint(EndpointOptions options) {
    const auto has_name = [&options](const auto& endpoint) { return endpoint->name() == options.name; };
    FP_ASSERT(std::ranges::none_of(endpoints_, has_name), "two endpoints named {}", options.name);
    endpoints_.push_back(std::make_unique<SimEndpoint>(world_, ledger_, bells_, std::move(options)));
    return *endpoints_.back();
}

void SimNetwork::after(Duration delay, std::function<void()> action) {
    process_.set_timer(world_.now() + delay,
                       [action = std::move(action)](boost::system::error_code /*never*/) { action(); });
}

void SimNetwork::transmit(const std::string& node, SimEndpoint& endpoint, std::vector<WireTx> transactions,
                          Answer answer) {
    auto parcel = std::make_shared<Parcel>(Parcel{.node = node,
                                                  .endpoint = &endpoint,
                                                  .transactions = std::move(transactions),
                                                  .entries = {},
                                                  .fault = endpoint.next_send_fault(),
                                                  .way = endpoint.draw_latency() / 2,
                                                  .answer = std::move(answer)});
    if (!endpoint.is_reachable_from(node)) parcel->fault = SendFault::unreachable;
    if (parcel->fault != SendFault::unreachable) {
        for (const auto& transaction : parcel->transactions) {
            parcel->entries.push_back(record_.left(
                {.node = node, .endpoint = endpoint.name(), .transaction = transaction, .left_at = world_.now()}));
        }
    }
    if (parcel->fault == SendFault::lost) return endpoint.count(SendFault::lost);
    after(parcel->way, [this, parcel] { arrive(parcel); });
}

void SimNetwork::arrive(const std::shared_ptr<Parcel>& parcel) {
    const bool gave_up = !parcel->endpoint->is_reachable_from(parcel->node);
    if (gave_up) parcel->fault = SendFault::unreachable;
    parcel->endpoint->count(parcel->fault);
    std::vector<Verdict> verdicts;
    for (std::size_t i = 0; i < parcel->transactions.size(); ++i) {
        verdicts.push_back(judge(*parcel, parcel->transactions[i]));
        const bool asked = parcel->fault != SendFault::unreachable && parcel->fault != SendFault::rate_limited;
        if (i < parcel->entries.size() && parcel->fault != SendFault::unreachable) {
            record_.arrived(parcel->entries[i], world_.now(),
                            asked ? std::optional(verdicts.back().outcome) : std::nullopt);
        }
    }
    if (parcel->fault == SendFault::timed_out_after_arriving) return;
    after(parcel->way, [parcel, verdicts = std::move(verdicts)] { parcel->answer(verdicts); });
}

Verdict SimNetwork::judge(const Parcel& parcel, const WireTx& transaction) {
    if (parcel.fault == SendFault::unreachable) return {SendOutcome::unknown, "unreachable"};
    if (parcel.fault == SendFault::rate_limited) return {SendOutcome::unknown, "429 Too Many Requests"};
    auto verdict = parcel.endpoint->receive(transaction);
    if (verdict.outcome == SendOutcome::accepted) gossip(*parcel.endpoint, transaction);
    if (parcel.fault == SendFault::duplicated) verdict = parcel.endpoint->receive(transaction);
    return verdict;
}

void SimNetwork::gossip(SimEndpoint& from, const WireTx& transaction) {
    if (!options_.gossip || !from.options().gossips) return;
    for (const auto& endpoint : endpoints_) {
        auto* to = endpoint.get();
        if (to == &from || !to->options().gossips) continue;
        after(options_.gossip->draw(random_), [to, transaction] {
            static_cast<void>(to->receive(transaction));  // nobody hears the verdict
        });
    }
}

Verdict SimNetwork::inject(const Bytes& raw) {
    const auto& transaction = ledger_.cache().decode(raw);
    Verdict best{SendOutcome::unknown, "no endpoint"};
    for (const auto& endpoint : endpoints_) {
        auto verdict = endpoint->receive(transaction);
        if (!is_held(best.outcome)) best = std::move(verdict);
    }
    return best;
}

const SimBlock& SimNetwork::mine() {
    std::vector<SimTxPtr> candidates;
    for (const auto& endpoint : endpoints_) {
        if (!endpoint->options().feeds_miners) continue;
        const auto waiting = endpoint->pool().contents();
        candidates.insert(candidates.end(), waiting.begin(), waiting.end());
    }
    const auto& block = ledger_.mine(world_.unix_now(), candidates);
    tell_of_head();
    return block;
}

void SimNetwork::mine(std::size_t blocks) {
    for (std::size_t i = 0; i < blocks; ++i)
        mine();
}

void SimNetwork::reorg(const Reorg& reorg) {
    const auto result = ledger_.reorg(reorg, world_.unix_now());
    for (const auto& endpoint : endpoints_) {
        for (const auto& transaction : result.dropped)
            endpoint->pool().evict(transaction->hash);
        for (const auto& transaction : result.to_mempool) {
            static_cast<void>(endpoint->pool().add(transaction, *ledger_.head().state, ledger_.options().gas_limit));
        }
    }
    tell_of_head();
}

void SimNetwork::tell_of_head() {
    const auto& hash = ledger_.head().hash();
    world_.note({reinterpret_cast<const char*>(hash.data.data()), hash.data.size()});
    bells_->ring();
}

Task<void> SimNetwork::mine_every(Duration interval) {
    for (;;) {
        co_await clock_.sleep_for(interval);
        mine();
    }
}

bool SimNetwork::evict(const TxHash& hash) {
    bool was_there = false;
    for (const auto& endpoint : endpoints_)
        was_there = endpoint->pool().evict(hash) || was_there;
    return was_there;
}

}  // namespace fencepost::sim
