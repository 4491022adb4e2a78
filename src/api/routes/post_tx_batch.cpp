// POST /api/v1/tx/batch: submits many transactions. Each gets the response that it would have got alone.
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/json/json_output.hpp"
#include "api/query/request_params.hpp"
#include "api/routes/routes.hpp"
#include "api/submit/submit.hpp"

namespace fencepost::api::routes {
namespace {

Task<http::Response> answer_post_tx_batch(Service* service, http::Request request) {
    auto caller = service->dependencies.authenticator.admit(request, Scope::write);
    if (!caller) co_return std::move(caller.error());
    if (auto other = refuse_non_json(request)) co_return *std::move(other);
    const auto rules = request_rules(*service, request);
    if (!rules) co_return rules.error();
    auto requests = read_tx_batch(request.body, *rules, service->options.max_batch_items);
    if (!requests) co_return std::move(requests.error());
    // Costs as much as single requests. A batch larger than the burst is accepted and puts the bucket into debt.
    service->dependencies.authenticator.charge(*caller, requests->size() - 1);
    const auto answers = co_await submit_transactions(service, *std::move(caller), *std::move(requests));
    std::vector<std::string> items;
    items.reserve(answers.size());
    for (const auto& one : answers)
        items.push_back(batch_item_json(one));
    co_return json_response(fmt::format(R"({{"items":[{}]}})", fmt::join(items, ",")));
}

}  // namespace

http::Route post_tx_batch(Service& service) {
    return {http::Method::post, "/api/v1/tx/batch", handled_by(service, answer_post_tx_batch)};
}

}  // namespace fencepost::api::routes
