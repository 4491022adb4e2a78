// POST /api/v1/submitters/{submitter}/resume: ends a pause. What is protected stays so: that is lifted by unprotect.
#include <utility>

#include "api/command.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

constexpr SubmitterAct act{.kind = CommandKind::resume, .name = "resume"};

Task<http::Response> answer(Service* service, http::Request request) {
    return act_on_submitter(service, act, std::move(request));
}

}  // namespace

http::Route resume_submitter(Service& service) {
    return {http::Method::post, "/api/v1/submitters/{submitter}/resume", handled_by(service, answer)};
}

}  // namespace fencepost::api::routes
