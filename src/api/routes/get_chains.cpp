// GET /api/v1/chains: the chains that this node serves, their heads, and the state of their endpoints.
#include "api/json/json_output.hpp"
#include "api/query/request_params.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

Task<http::Response> answer_get_chains(Service* service, http::Request request) {
    const auto caller = service->dependencies.authenticator.admit(request, Scope::read);
    if (!caller) co_return caller.error();
    if (const auto query = read_query(request, {}); !query) co_return query.error();
    std::vector<std::string> items;
    items.reserve(service->dependencies.chains.size());
    for (const auto& served : service->dependencies.chains)
        items.push_back(chain_json(served));
    co_return json_response(list_json(items));
}

}  // namespace

http::Route get_chains(Service& service) {
    return {http::Method::get, "/api/v1/chains", handled_by(service, answer_get_chains)};
}

}  // namespace fencepost::api::routes
