// POST /api/v1/tx: submits one transaction. It is durable before the response: 202 when it is new, 200 when the request
// is known.
#include <utility>

#include "api/query/request_params.hpp"
#include "api/routes/routes.hpp"
#include "api/submit/submit.hpp"

namespace fencepost::api::routes {
namespace {

Task<http::Response> answer_post_tx(Service* service, http::Request request) {
    auto caller = service->dependencies.authenticator.admit(request, Scope::write);
    if (!caller) co_return std::move(caller.error());
    if (auto other = refuse_non_json(request)) co_return *std::move(other);
    const auto rules = request_rules(*service, request);
    if (!rules) co_return rules.error();
    TxRequests requests;
    requests.push_back(read_tx_request(request.body, *rules));
    auto answers = co_await submit_transactions(service, *std::move(caller), std::move(requests));
    co_return std::move(answers.front());
}

}  // namespace

http::Route post_tx(Service& service) {
    return {http::Method::post, "/api/v1/tx", handled_by(service, answer_post_tx)};
}

}  // namespace fencepost::api::routes
