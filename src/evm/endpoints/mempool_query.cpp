// Reads the mempool of each endpoint separately, in at most two requests each: the content of one pool proves nothing
// about another.
#include <algorithm>

#include "evm/endpoints/endpoint_pool.hpp"
#include "evm/endpoints/mempool_view.hpp"

namespace fencepost::evm {

struct EndpointPool::MempoolQuery {
    Address account;
    std::vector<PoolQuery> questions;
    BlockNumber told;
    Duration time_limit;
    bool was_answered = false;
    std::vector<PoolView> views{};
};

Task<RpcResult<std::vector<PoolView>>> EndpointPool::look(Address account, std::vector<PoolQuery> questions,
                                                          BlockNumber told) {
    // A read that takes longer than the time between two heads describes the past.
    MempoolQuery look{.account = account,
                      .questions = std::move(questions),
                      .told = told,
                      .time_limit = std::min(options_.time_limit, options_.head_interval)};
    TaskGroup round(executor_);
    for (const auto& endpoint : endpoints_)
        if (endpoint->is_available()) round.spawn(query_mempool(endpoint.get(), &look));
    co_await round.join();
    if (!look.was_answered) co_return err(RpcError{RpcError::Kind::unreachable, "no endpoint answered"});
    std::ranges::sort(look.views, {}, &PoolView::endpoint);
    co_return std::move(look.views);
}

Task<void> EndpointPool::query_mempool(Endpoint* endpoint, MempoolQuery* look) {
    auto lowest = look->questions;
    lowest.resize(std::min<std::size_t>(lowest.size(), 1));
    lowest = limit_to_batch(std::move(lowest), endpoint->max_batch());
    const auto first =
        read_pool(co_await endpoint->call(pool_requests(look->account, lowest), look->time_limit), lowest);
    if (!first) co_return;
    look->was_answered = true;
    PoolPresence evidence(look->questions, endpoint->mempool_capabilities(), look->told);
    if (!evidence.take_first(*first)) co_return;
    const auto open = limit_to_batch(evidence.open(), endpoint->max_batch());
    if (!open.empty()) {
        const auto second =
            read_pool(co_await endpoint->call(pool_requests(look->account, open), look->time_limit), open);
        if (second) evidence.take_second(*second, open);
    }
    look->views.push_back(evidence.view(endpoint->name()));
}

}  // namespace fencepost::evm
