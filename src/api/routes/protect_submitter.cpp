// POST /api/v1/submitters/{submitter}/protect: stops a submitter for its protection, until a person lifts it.
#include <utility>

#include "api/command.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

constexpr SubmitterAct act{.kind = CommandKind::protect, .name = "protect"};

Task<http::Response> answer(Service* service, http::Request request) {
    return act_on_submitter(service, act, std::move(request));
}

}  // namespace

http::Route protect_submitter(Service& service) {
    return {http::Method::post, "/api/v1/submitters/{submitter}/protect", handled_by(service, answer)};
}

}  // namespace fencepost::api::routes
