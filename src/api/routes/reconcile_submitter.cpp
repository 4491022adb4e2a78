// POST /api/v1/submitters/{submitter}/reconcile: the lane compares with the chain now, not when it is due.
#include "api/command.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {

http::Route reconcile_submitter(Service& service) {
    return route_of(service, SubmitterAct{.kind = CommandKind::reconcile, .name = "reconcile"});
}

}  // namespace fencepost::api::routes
