// GET /openapi.json: the OpenAPI document. It needs no key, because it contains only public information.
#include "api/json/json_output.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

Task<http::Response> answer_openapi(Service* service, http::Request /*request*/) {
    co_return json_response(std::string(service->dependencies.openapi));
}

}  // namespace

http::Route openapi(Service& service) {
    return {http::Method::get, "/openapi.json", handled_by(service, answer_openapi)};
}

}  // namespace fencepost::api::routes
