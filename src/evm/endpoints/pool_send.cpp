// Sends through the pool. The same bytes go to every endpoint: any of them may be partitioned from the network, and
// sending twice is harmless since the hash is the same.
#include <algorithm>

#include "evm/endpoints/endpoint_pool.hpp"
#include "evm/endpoints/send_queue.hpp"

namespace fencepost::evm {
namespace {

std::vector<SendReport> nowhere(const SendBatch& batch) {
    const SendReport::Answer answer{*batch.only, SendOutcome::not_sent, "no such endpoint"};
    return std::vector(batch.items.size(), SendReport{{answer}});
}

}  // namespace

std::vector<EndpointPool::Target> EndpointPool::targets(const std::optional<std::string>& only,
                                                        Instant deadline) const {
    if (!only) return targets(deadline);
    const auto named = std::ranges::find(endpoints_, *only, [](const auto& each) { return each->name(); });
    // An endpoint that is out of service answers at once: a caller that names it expects it to be there.
    return named == endpoints_.end() ? std::vector<Target>{} : std::vector<Target>{{.endpoint = named->get()}};
}

Task<std::vector<SendReport>> EndpointPool::send(SendBatch batch) {
    if (batch.items.empty()) co_return std::vector<SendReport>{};
    const auto to = targets(batch.only, clock_.monotonic() + options_.time_limit);
    if (to.empty()) co_return nowhere(batch);
    std::vector<std::string> names;
    names.reserve(to.size());
    for (const auto& target : to)
        names.push_back(target.endpoint->name());
    const auto from = batch.from;
    const auto call = std::make_shared<SendCall>(executor_, std::move(batch), std::move(names));
    // Without run() no task owns the late answers: then nothing is sent.
    if (!running_) co_return call->reports("not sent: shutting down");
    for (const auto& target : to) {
        const auto queues = std::ranges::find(queues_, target.endpoint,
                                              [](const auto& each) -> const Endpoint* { return &each->endpoint(); });
        (*queues)->put(from, call, {.not_before = target.not_before, .allow_quarantined = target.allow_quarantined});
    }
    // Each request has its own time limit, and requests queued behind it end with it or go on.
    while (!call->is_over())
        co_await clock_.wait_until(&call->bell, Instant::max());
    co_return call->reports("no answer yet");
}

std::size_t EndpointPool::accounts_with_sends() const {
    std::size_t accounts = 0;
    for (const auto& queues : queues_)
        accounts += queues->size();
    return accounts;
}

}  // namespace fencepost::evm
