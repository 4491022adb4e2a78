#include "api/service.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::api {

Service::Service(const Executor& on, ApiDependencies given, ApiOptions chosen)
    : executor(on),
      dependencies(std::move(given)),
      options(chosen),
      accepts(
          on,
          {dependencies.intake, dependencies.clock, dependencies.telemetry, dependencies.log, dependencies.wake_lane},
          {.max_batch = chosen.max_accept_batch,
           .max_waiting = chosen.max_waiting_accepts,
           .max_waiting_bytes = chosen.max_waiting_accept_bytes}),
      waiter(on, dependencies.queries, dependencies.clock, {.max_waiters = chosen.max_waiters}),
      readiness(on, dependencies.clock, dependencies.health_checks) {}

const ServedChain* Service::chain(const ChainRef& ref) const {
    const auto found = std::ranges::find_if(dependencies.chains,
                                            [&ref](const ServedChain& served) { return served.chain.ref() == ref; });
    return found == dependencies.chains.end() ? nullptr : &*found;
}

std::vector<std::pair<std::string, ChainRef>> Service::chain_names() const {
    std::vector<std::pair<std::string, ChainRef>> names;
    names.reserve(dependencies.chains.size());
    for (const auto& served : dependencies.chains)
        names.emplace_back(served.name, served.chain.ref());
    return names;
}

}  // namespace fencepost::api
