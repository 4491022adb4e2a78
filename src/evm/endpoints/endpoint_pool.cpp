// Watches all endpoints of a chain and ranks them.
#include "evm/endpoints/endpoint_pool.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "base/assert.hpp"
#include "base/async/cancellation.hpp"

namespace fencepost::evm {
namespace {

// Endpoints of similar latency keep their configured order: otherwise every new average would move reads to another
// endpoint.
int speed_class(const EndpointHealth& health) {
    constexpr int not_known = 64;
    if (!health.latency()) return not_known;
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(*health.latency()).count();
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(ms, 0))));
}

}  // namespace

EndpointPool::EndpointPool(Executor executor, Clock& clock, Log& log, Telemetry& telemetry, ChainPin pin,
                           std::vector<NamedRpc> endpoints, PoolOptions options)
    : executor_(std::move(executor)),
      clock_(clock),
      pin_(pin),
      options_(options),
      background_(executor_) {
    FP_ASSERT(!endpoints.empty(), "a chain needs at least one endpoint");
    for (auto& [name, rpc] : endpoints) {
        endpoints_.push_back(std::make_unique<Endpoint>(executor_, clock_, log, telemetry, pin_, std::move(name),
                                                        std::move(rpc), options.endpoint));
        queues_.push_back(
            std::make_unique<SendQueues>(executor_, clock_, log, *endpoints_.back(), background_, options.time_limit));
    }
}

Task<void> EndpointPool::run() {
    running_ = true;
    background_.spawn(watch_endpoints());
    co_await background_.join();
}

Task<void> EndpointPool::watch_endpoints() {
    // First to learn of a cancellation: from then on no send starts that would have to be awaited.
    struct Running {
        bool& flag;
        ~Running() { flag = false; }
    };
    const Running until_the_end{running_};
    for (;;) {
        co_await throw_if_cancelled();
        TaskGroup round(executor_);
        for (const auto& endpoint : endpoints_) {
            if (endpoint->is_available()) round.spawn(poll_head(endpoint.get()));
        }
        co_await round.join();
        co_await clock_.sleep_for(options_.head_interval);
    }
}

Task<void> EndpointPool::poll_head(Endpoint* endpoint) const {
    // Endpoint records its head itself. One that hangs must not delay the next round for long.
    std::vector<Request> question;
    question.push_back({"eth_blockNumber", {}});
    co_await endpoint->call(std::move(question), options_.head_interval);
}

std::optional<BlockNumber> EndpointPool::best_head() const {
    std::optional<BlockNumber> best;
    for (const auto& endpoint : endpoints_) {
        if (endpoint->other_chain()) continue;
        if (const auto head = endpoint->health().head()) best = std::max(best.value_or(*head), *head);
    }
    return best;
}

std::vector<Endpoint*> EndpointPool::ranked(const std::vector<Request>& batch, BlockNumber at_least) const {
    const auto best = best_head();
    using Key = std::tuple<bool, bool, bool, int>;
    std::multimap<Key, Endpoint*> sorted;  // equal keys stay in configured order
    for (const auto& endpoint : endpoints_) {
        const auto& health = endpoint->health();
        const bool offers_all =
            std::ranges::all_of(batch, [&](const auto& request) { return endpoint->offers(request.method); });
        const bool high_enough = health.head().value_or(BlockNumber{}) >= at_least;
        const bool behind = best && health.head() && best->above(*health.head()) > options_.max_lag;
        sorted.emplace(Key(!offers_all, !high_enough, behind, speed_class(health)), endpoint.get());
    }
    std::vector<Endpoint*> result;
    for (const auto& [key, endpoint] : sorted)
        result.push_back(endpoint);
    return result;
}

std::optional<Instant> EndpointPool::next_back_in_service(Instant deadline) const {
    std::optional<Instant> next;
    for (const auto& endpoint : endpoints_) {
        const auto now = clock_.monotonic();
        // Waits only for an endpoint that rate-limited us: it is known to come back.
        if (endpoint->health().service(now) != Service::backing_off) continue;
        const auto at = endpoint->available_at();
        if (at < deadline) next = std::min(next.value_or(at), at);
    }
    return next;
}

std::vector<EndpointPool::Target> EndpointPool::targets(Instant deadline) const {
    std::vector<Target> now;
    std::vector<Target> soon;
    std::vector<Target> anyway;
    for (const auto& endpoint : endpoints_) {
        const auto at = endpoint->available_at();
        // When a probe ends is unknown, so there is no time to wait until.
        const bool probing = endpoint->health().service(clock_.monotonic()) == Service::probing;
        if (endpoint->is_available()) {
            now.push_back({.endpoint = endpoint.get()});
        } else if (at < deadline && !probing) {
            soon.push_back({.endpoint = endpoint.get(), .not_before = at});
        } else {
            anyway.push_back({.endpoint = endpoint.get(), .allow_quarantined = AllowQuarantined::yes});
        }
    }
    if (!now.empty()) return now;
    return soon.empty() ? anyway : soon;
}

std::vector<EndpointStatus> EndpointPool::status() const {
    std::vector<EndpointStatus> result;
    result.reserve(endpoints_.size());
    for (const auto& endpoint : endpoints_) {
        result.push_back({.name = endpoint->name(),
                          .in_service = endpoint->is_available(),
                          .other_chain = endpoint->other_chain(),
                          .latency = endpoint->health().latency(),
                          .head = endpoint->health().head()});
    }
    return result;
}

bool EndpointPool::offers(std::string_view method) const {
    return std::ranges::any_of(endpoints_, [method](const auto& endpoint) { return endpoint->offers(method); });
}

}  // namespace fencepost::evm
