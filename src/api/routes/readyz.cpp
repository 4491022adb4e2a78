// GET /readyz: whether this node can accept: database and schema are in order. What its lanes are able to work with is
// told beside it and does not decide. No key is asked for, so that a load balancer needs none: so many may ask, and
// Readiness asks for all of them.
#include <algorithm>
#include <utility>

#include "api/json/json_output.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

Task<http::Response> answer_readyz(Service* service, http::Request /*request*/) {
    const auto checks = co_await service->readiness.ask();
    const bool ready = std::ranges::all_of(checks, &HealthCheck::ok);
    const auto& ability = service->parts.ability;
    co_return json_response(health_json(checks, ability ? std::optional(ability()) : std::nullopt),
                            ready ? http::StatusCode::ok : http::StatusCode::service_unavailable);
}

}  // namespace

http::Route readyz(Service& service) { return {http::Method::get, "/readyz", handled_by(service, answer_readyz)}; }

}  // namespace fencepost::api::routes
