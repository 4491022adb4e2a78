// Sends through a pool. The same bytes to every endpoint: any of them may be cut off from the rest of the world, and
// sending twice costs nothing, since the hash is the same.
#include <algorithm>

#include "evm/endpoints/endpoint_pool.hpp"
#include "evm/endpoints/send_queue.hpp"

namespace fencepost::evm {
namespace {

std::vector<SendReport> nowhere(const SendBatch& batch) {
    const SendReport::Answer answer{*batch.only, SendOutcome::not_sent, "there is no such endpoint"};
    return std::vector(batch.items.size(), SendReport{{answer}});
}

}  // namespace

std::vector<EndpointPool::Target> EndpointPool::targets(const std::optional<std::string>& only,
                                                        Instant deadline) const {
    if (!only) return targets(deadline);
    const auto named = std::ranges::find(endpoints_, *only, [](const auto& each) { return each->name(); });
    // Out of service, it answers that at once: whoever meant it alone had a reason to think that it is there.
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
    // Without run() nobody would own the answers that come late: then nothing is sent.
    if (!running_) co_return call->told("nothing is sent any more: we are stopping");
    for (const auto& target : to) {
        const auto queues = std::ranges::find(queues_, target.endpoint,
                                              [](const auto& each) -> const Endpoint* { return &each->endpoint(); });
        (*queues)->put(from, call, {.not_before = target.not_before, .insist = target.insist});
    }
    // Each request has its own time limit, and what waits behind it ends with it or goes on.
    while (!call->is_over())
        co_await clock_.wait_until(&call->bell, Instant::max());
    co_return call->told("has not answered yet");
}

std::size_t EndpointPool::accounts_with_sends() const {
    std::size_t accounts = 0;
    for (const auto& queues : queues_)
        accounts += queues->size();
    return accounts;
}

}  // namespace fencepost::evm
