// GET /api/v1/tx/{txId}/attempts: every signed variant of a transaction. All have the same nonce; one can be mined.
#include "api/json/json_output.hpp"
#include "api/query/request_params.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

Task<http::Response> answer_get_tx_attempts(Service* service, http::Request request) {
    const auto caller = service->dependencies.authenticator.admit(request, Scope::read);
    if (!caller) co_return caller.error();
    if (const auto query = read_query(request, {}); !query) co_return query.error();
    const auto tx = co_await find_tx(service, *caller, request.parameter("txId"));
    if (!tx) co_return tx.error();
    const auto attempts = co_await service->dependencies.queries.attempts(tx->id);
    if (!attempts) co_return store_problem(attempts.error());
    std::vector<std::string> items;
    items.reserve(attempts->size());
    for (std::size_t i = 0; i < attempts->size(); ++i)
        items.push_back(attempt_json(attempts->at(i), i + 1 < attempts->size() ? &attempts->at(i + 1) : nullptr));
    co_return json_response(list_json(items));
}

}  // namespace

http::Route get_tx_attempts(Service& service) {
    return {http::Method::get, "/api/v1/tx/{txId}/attempts", handled_by(service, answer_get_tx_attempts)};
}

}  // namespace fencepost::api::routes
