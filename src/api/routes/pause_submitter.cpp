// POST /api/v1/submitters/{submitter}/pause: nothing new is accepted or given a nonce; what is on its way goes on.
#include "api/command.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {

http::Route pause_submitter(Service& service) {
    return route_of(service, SubmitterAct{.kind = CommandKind::pause, .name = "pause"});
}

}  // namespace fencepost::api::routes
