// POST /api/v1/submitters/{submitter}/reconcile: the lane compares with the chain now, not when it is due.
#include <utility>

#include "api/command.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

constexpr SubmitterAct act{.kind = CommandKind::reconcile, .name = "reconcile"};

Task<http::Response> answer(Service* service, http::Request request) {
    return act_on_submitter(service, act, std::move(request));
}

}  // namespace

http::Route reconcile_submitter(Service& service) {
    return {http::Method::post, "/api/v1/submitters/{submitter}/reconcile", handled_by(service, answer)};
}

}  // namespace fencepost::api::routes
