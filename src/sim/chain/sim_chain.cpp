#include "sim/chain/sim_chain.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "sim/chain/sim_chain_reads.hpp"
#include "sim/chain/sim_head_stream.hpp"

namespace fencepost::sim {

SimChain::SimChain(SimNode& node, SimNetwork& network, SimChainOptions options)
    : node_(node),
      network_(network),
      options_(options),
      ref_(ChainRef::evm(network.ledger().options().chain_id)),
      clock_(node),
      random_(network.world().random().fork()),
      follower_(std::make_shared<SimFollower>(network, node.name())) {}

std::unique_ptr<HeadStream> SimChain::heads() { return std::make_unique<SimHeadStream>(node_, network_, follower_); }

BlockNumber SimChain::reported_height() const {
    const auto* head = follower_->head();
    return head == nullptr ? BlockNumber{} : head->number();
}

SimChain::Endpoints SimChain::shuffled() {
    Endpoints endpoints;
    for (const auto& endpoint : network_.endpoints())
        endpoints.push_back(endpoint.get());
    if (endpoints.size() > 1) {
        const auto first = static_cast<std::ptrdiff_t>(random_.below(endpoints.size()));
        std::ranges::rotate(endpoints, endpoints.begin() + first);
    }
    return endpoints;
}

SimChain::Endpoints SimChain::by_height() {
    std::multimap<BlockNumber, SimEndpoint*, std::greater<>> sorted;  // equal heights keep their order
    for (auto* endpoint : shuffled())
        sorted.emplace(endpoint->view().head().number(), endpoint);
    Endpoints endpoints;
    for (const auto& [height, endpoint] : sorted)
        endpoints.push_back(endpoint);
    return endpoints;
}

Task<Status<RpcError>> SimChain::send_request(SimEndpoint* endpoint, Duration way, Instant deadline) {
    auto fault = endpoint->next_read_fault();
    if (fault == ReadFault::timed_out || clock_.monotonic() >= deadline) {
        endpoint->count(ReadFault::timed_out);
        co_await clock_.sleep_until(std::min(clock_.monotonic() + options_.endpoint_time_limit, deadline));
        co_return err(RpcError{RpcError::Kind::timed_out, endpoint->name() + ": timed out"});
    }
    co_await clock_.sleep_for(way);
    if (!endpoint->is_reachable_from(node_.name())) fault = ReadFault::unreachable;
    endpoint->count(fault);
    if (fault == ReadFault::unreachable) {
        co_return err(RpcError{RpcError::Kind::unreachable, endpoint->name() + ": unreachable"});
    }
    if (fault == ReadFault::rate_limited)
        co_return err(RpcError{RpcError::Kind::rate_limited, endpoint->name() + ": 429 Too Many Requests"});
    if (fault == ReadFault::refused) co_return err(RpcError{RpcError::Kind::refused, endpoint->name() + ": refused"});
    co_return Status<RpcError>{};
}

Task<std::vector<RpcResult<std::optional<Receipt>>>> SimChain::receipts(std::vector<TxHash> hashes, Evidence evidence) {
    const std::size_t count = hashes.size();
    Read<std::vector<std::optional<Receipt>>> read = [hashes = std::move(hashes)](SimEndpoint&, const SimView& view) {
        std::vector<std::optional<Receipt>> receipts;
        for (const auto& hash : hashes)
            receipts.push_back(view.receipt(hash));
        return receipts;
    };
    return agreed<std::optional<Receipt>>(count, evidence, std::move(read));
}

Task<std::vector<RpcResult<std::optional<Receipt>>>> SimChain::receipts_in(BlockRef block, std::vector<TxHash> hashes) {
    const std::size_t count = hashes.size();
    Read<std::vector<std::optional<Receipt>>> read = [block, hashes = std::move(hashes)](SimEndpoint&,
                                                                                         const SimView& view) {
        std::vector<std::optional<Receipt>> receipts;
        const auto* seen = view.block(block.hash);
        for (const auto& hash : hashes) {
            auto& answer = receipts.emplace_back();
            if (seen == nullptr) continue;
            const auto found = std::ranges::find(seen->receipts, hash, &Receipt::hash);
            if (found != seen->receipts.end()) answer = *found;
        }
        return receipts;
    };
    return agreed<std::optional<Receipt>>(count, Evidence{.at_least = block.number}, std::move(read));
}

Task<RpcResult<std::optional<Block>>> SimChain::block(BlockNumber number, Evidence evidence) {
    Read<std::vector<std::optional<Block>>> read = [number](SimEndpoint&, const SimView& view) {
        std::vector<std::optional<Block>> answer(1);
        const auto* found = view.block(number);
        if (found != nullptr) answer.front() = *found->block;
        return answer;
    };
    auto results = co_await agreed<std::optional<Block>>(1, evidence, std::move(read));
    co_return std::move(results.front());
}

Task<RpcResult<std::optional<Block>>> SimChain::block(BlockHash hash) {
    Read<std::optional<Block>> read = [hash](SimEndpoint&, const SimView& view) {
        const auto* found = view.block(hash);
        return found == nullptr ? std::optional<Block>{} : std::optional<Block>(*found->block);
    };
    // Any endpoint's block will do: a hash identifies one block.
    const auto answers = co_await all_answers<std::optional<Block>>(std::move(read));
    if (!answers) co_return err(answers.error());
    const auto found = std::ranges::find_if(*answers, [](const auto& answer) { return answer.has_value(); });
    if (found == answers->end()) co_return std::optional<Block>{};
    co_return *found;
}

}  // namespace fencepost::sim
