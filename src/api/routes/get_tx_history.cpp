// GET /api/v1/tx/{txId}/history: the history of a transaction; equal consecutive entries are folded into one.
#include "api/json/json_output.hpp"
#include "api/query/request_params.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

Task<http::Response> answer_get_tx_history(Service* service, http::Request request) {
    const auto caller = service->dependencies.authenticator.admit(request, Scope::read);
    if (!caller) co_return caller.error();
    if (const auto query = read_query(request, {}); !query) co_return query.error();
    const auto tx = co_await find_tx(service, *caller, request.parameter("txId"));
    if (!tx) co_return tx.error();
    const auto entries = co_await service->dependencies.queries.history(tx->id);
    if (!entries) co_return store_problem(entries.error());
    std::vector<std::string> items;
    items.reserve(entries->size());
    for (const auto& entry : *entries)
        items.push_back(history_json(entry));
    co_return json_response(list_json(items));
}

}  // namespace

http::Route get_tx_history(Service& service) {
    return {http::Method::get, "/api/v1/tx/{txId}/history", handled_by(service, answer_get_tx_history)};
}

}  // namespace fencepost::api::routes
