// Sends a batch to every endpoint at once; the call ends when each transaction is held by one of them.
#include <algorithm>
#include <memory>
#include <utility>

#include "sim/chain/sim_chain.hpp"
#include "sim/chain/sim_send_queue.hpp"

namespace fencepost::sim {

SimSendQueue& SimChain::queue_to(SimEndpoint& endpoint, const SubmitterId& from) {
    auto& queue = queues_[std::pair(endpoint.name(), from)];
    if (!queue) queue = std::make_shared<SimSendQueue>(node_, network_, endpoint, options_.endpoint_time_limit);
    return *queue;
}

Task<std::vector<SendReport>> SimChain::send(SendBatch batch) {
    std::vector<WireTx> transactions;
    transactions.reserve(batch.items.size());
    for (const auto& [nonce, raw] : batch.items)
        transactions.push_back(network_.ledger().cache().decode(raw));
    Endpoints endpoints;
    for (const auto& endpoint : network_.endpoints()) {
        if (!batch.only || endpoint->name() == *batch.only) endpoints.push_back(endpoint.get());
    }
    const auto call =
        std::make_shared<SimSendCall>(fencepost::Executor(node_.executor()), batch.items.size(), endpoints.size());
    for (auto* endpoint : endpoints) {
        auto& queue = queue_to(*endpoint, batch.from);
        for (std::size_t i = 0; i < batch.items.size(); ++i)
            queue.put({call, i, batch.items[i].nonce, transactions[i], batch.may_still_send});
        queue.send_next();
    }
    // Each batch ends when it is answered, or when its time-out expires.
    while (!call->is_over())
        co_await clock_.wait_until(&call->bell, Instant::max());
    co_return call->reports;
}

}  // namespace fencepost::sim
