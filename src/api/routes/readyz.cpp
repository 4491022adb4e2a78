// GET /readyz: whether this node can accept transactions, which needs database and schema. The ability of its lanes is
// reported but does not decide. It needs no key, so that any load balancer can use it; Readiness limits the cost.
#include <algorithm>
#include <utility>

#include "api/json/json_output.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

Task<http::Response> answer_readyz(Service* service, http::Request /*request*/) {
    const auto checks = co_await service->readiness.ask();
    const bool ready = std::ranges::all_of(checks, &HealthCheck::ok);
    const auto& ability = service->dependencies.ability;
    co_return json_response(health_json(checks, ability ? std::optional(ability()) : std::nullopt),
                            ready ? http::StatusCode::ok : http::StatusCode::service_unavailable);
}

}  // namespace

http::Route readyz(Service& service) { return {http::Method::get, "/readyz", handled_by(service, answer_readyz)}; }

}  // namespace fencepost::api::routes
