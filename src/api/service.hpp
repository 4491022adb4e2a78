// What every route uses: the dependencies of the API and the tasks that routes share.
#pragma once

#include "api/dependencies.hpp"
#include "api/query/tx_waiter.hpp"
#include "api/readiness.hpp"
#include "api/submit/accept_queue.hpp"
#include "base/uuid.hpp"
#include "http/router.hpp"

namespace fencepost::api {

struct Service {
    Service(const Executor& on, ApiDependencies given, ApiOptions chosen);

    [[nodiscard]] TxId new_id() { return TxId(ids.next(dependencies.clock.unix_now(), dependencies.random.bits())); }
    /// The chain with that id; null when this node does not serve it.
    [[nodiscard]] const ServedChain* chain(const ChainRef& ref) const;
    [[nodiscard]] std::vector<std::pair<std::string, ChainRef>> chain_names() const;

    Executor executor;
    ApiDependencies dependencies;
    ApiOptions options;
    AcceptQueue accepts;
    TxWaiter waiter;
    Readiness readiness;
    UuidV7Generator ids;
};

/// Makes a route's handler of a named coroutine.
[[nodiscard]] inline http::Handler handled_by(Service& service,
                                              Task<http::Response> (*answer)(Service*, http::Request)) {
    return [&service, answer](http::Request request) { return answer(&service, std::move(request)); };
}

}  // namespace fencepost::api
