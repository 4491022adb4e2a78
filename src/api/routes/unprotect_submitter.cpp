// POST /api/v1/submitters/{submitter}/unprotect: lifts a protection, once the lane has found the chain in order.
#include "api/command.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {

http::Route unprotect_submitter(Service& service) {
    return route_of(service, SubmitterAct{.kind = CommandKind::unprotect, .name = "unprotect"});
}

}  // namespace fencepost::api::routes
