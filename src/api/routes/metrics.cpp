// GET /metrics: the Prometheus metrics. They reveal submitters and their activity, so they need a key by default.
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

Task<http::Response> answer_metrics(Service* service, http::Request request) {
    if (!service->options.open_metrics) {
        const auto caller = service->dependencies.authenticator.admit(request, Scope::read);
        if (!caller) co_return caller.error();
    }
    co_return http::Response{.content_type = "text/plain; version=0.0.4; charset=utf-8",
                             .body = service->dependencies.metrics()};
}

}  // namespace

http::Route metrics(Service& service) { return {http::Method::get, "/metrics", handled_by(service, answer_metrics)}; }

}  // namespace fencepost::api::routes
