// GET /api/v1/submitters/{submitter}: everything about one submitter: nonces, transactions in flight, owning node,
// balance, and why it is stopped, if it is.
#include <fmt/format.h>

#include "api/json/json_output.hpp"
#include "api/query/request_params.hpp"
#include "api/query/submitter_view.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

Task<http::Response> answer_get_submitter(Service* service, http::Request request) {
    const auto caller = service->dependencies.authenticator.admit(request, Scope::read);
    if (!caller) co_return caller.error();
    if (const auto query = read_query(request, {}); !query) co_return query.error();
    const auto submitter = read_submitter(*service, *caller, request.parameter("submitter"), "submitter");
    if (!submitter) co_return submitter.error();
    auto details = co_await load_submitter_details(service, *submitter);
    if (!details) co_return store_problem(details.error());
    if (!is_on_record(*details) && !service->dependencies.submitters.can_be_served(*submitter)) {
        co_return problem(http::ProblemKind::not_found,
                          fmt::format("{} has no key on this node and no transactions.", *submitter));
    }
    co_await add_balance(service, &*details);
    co_return json_response(submitter_json(*details, detail_for(*caller)));
}

}  // namespace

http::Route get_submitter(Service& service) {
    return {http::Method::get, "/api/v1/submitters/{submitter}", handled_by(service, answer_get_submitter)};
}

}  // namespace fencepost::api::routes
