// POST /api/v1/submitters/{submitter}/pause: nothing new is accepted or given a nonce; what is on its way goes on.
#include <utility>

#include "api/command.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {
namespace {

constexpr SubmitterAct act{.kind = CommandKind::pause, .name = "pause"};

Task<http::Response> answer(Service* service, http::Request request) {
    return act_on_submitter(service, act, std::move(request));
}

}  // namespace

http::Route pause_submitter(Service& service) {
    return {http::Method::post, "/api/v1/submitters/{submitter}/pause", handled_by(service, answer)};
}

}  // namespace fencepost::api::routes
