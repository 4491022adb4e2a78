// GET /api/v1/cluster: the nodes with a recent heartbeat, and which of them answers this request.
#include "api/json/json_output.hpp"
#include "api/query/request_params.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

Task<http::Response> answer_get_cluster(Service* service, http::Request request) {
    const auto caller = service->dependencies.authenticator.admit(request, Scope::read);
    if (!caller) co_return caller.error();
    if (const auto query = read_query(request, {}); !query) co_return query.error();
    auto nodes = co_await service->dependencies.nodes.live(service->options.node_silence);
    if (!nodes) co_return store_problem(nodes.error());
    for (auto& node : *nodes)
        std::erase_if(node.ability.signers, [&](const auto& entry) { return !caller->may_use(entry.first); });
    co_return json_response(cluster_json(service->dependencies.node, service->dependencies.version, *nodes));
}

}  // namespace

http::Route get_cluster(Service& service) {
    return {http::Method::get, "/api/v1/cluster", handled_by(service, answer_get_cluster)};
}

}  // namespace fencepost::api::routes
