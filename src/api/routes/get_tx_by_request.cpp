// GET /api/v1/tx/by-request: a transaction by the request id that its caller chose.
#include <utility>

#include <fmt/format.h>

#include "api/json/json_output.hpp"
#include "api/query/request_params.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

Task<http::Response> answer_get_tx_by_request(Service* service, http::Request request) {
    const auto caller = service->dependencies.authenticator.admit(request, Scope::read);
    if (!caller) co_return caller.error();
    const auto query = read_query(request, {"submitter", "requestId"});
    if (!query) co_return query.error();
    const auto name = query->find("submitter");
    const auto id = query->find("requestId");
    if (!name) co_return wrong_field("submitter", "is missing");
    if (!id || id->empty()) co_return wrong_field("requestId", "is missing");
    const auto submitter = read_submitter(*service, *caller, *name, "submitter");
    if (!submitter) co_return submitter.error();
    const auto tx = co_await service->dependencies.queries.by_request(*submitter, RequestId(std::string(*id)));
    if (!tx) co_return store_problem(tx.error());
    if (!*tx) {
        co_return problem(http::ProblemKind::not_found,
                          fmt::format("{} has no transaction with the requestId \"{}\".", *submitter, *id));
    }
    co_return json_response(tx_json_for(*service, *caller, **tx));
}

}  // namespace

http::Route get_tx_by_request(Service& service) {
    return {http::Method::get, "/api/v1/tx/by-request", handled_by(service, answer_get_tx_by_request)};
}

}  // namespace fencepost::api::routes
