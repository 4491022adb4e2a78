// GET /openapi.json: the API's description, for programs. No key is asked for: it tells nothing that is not public.
#include "api/json/json_output.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

Task<http::Response> answer_openapi(Service* service, http::Request /*request*/) {
    co_return json_response(std::string(service->parts.openapi));
}

}  // namespace

http::Route openapi(Service& service) {
    return {http::Method::get, "/openapi.json", handled_by(service, answer_openapi)};
}

}  // namespace fencepost::api::routes
