#include "api/service.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::api {

Service::Service(const Executor& on, ApiParts given, ApiOptions chosen)
    : executor(on),
      parts(std::move(given)),
      options(chosen),
      accepts(on, {parts.intake, parts.clock, parts.telemetry, parts.log, parts.wake_lane},
              {.max_batch = chosen.max_accept_batch,
               .max_waiting = chosen.max_waiting_accepts,
               .max_waiting_bytes = chosen.max_waiting_accept_bytes}),
      waiter(on, parts.queries, parts.clock, {.max_waiters = chosen.max_waiters}),
      readiness(on, parts.clock, parts.health_checks) {}

const ServedChain* Service::chain(const ChainRef& ref) const {
    const auto found =
        std::ranges::find_if(parts.chains, [&ref](const ServedChain& served) { return served.chain.ref() == ref; });
    return found == parts.chains.end() ? nullptr : &*found;
}

std::vector<std::pair<std::string, ChainRef>> Service::chain_names() const {
    std::vector<std::pair<std::string, ChainRef>> names;
    names.reserve(parts.chains.size());
    for (const auto& served : parts.chains)
        names.emplace_back(served.name, served.chain.ref());
    return names;
}

}  // namespace fencepost::api
