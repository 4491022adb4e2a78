// POST /api/v1/submitters/{submitter}/unprotect: lifts a protection, once the lane has found the chain in order.
#include <utility>

#include "api/command.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

constexpr SubmitterAct act{.kind = CommandKind::unprotect, .name = "unprotect"};

Task<http::Response> answer(Service* service, http::Request request) {
    return act_on_submitter(service, act, std::move(request));
}

}  // namespace

http::Route unprotect_submitter(Service& service) {
    return {http::Method::post, "/api/v1/submitters/{submitter}/unprotect", handled_by(service, answer)};
}

}  // namespace fencepost::api::routes
