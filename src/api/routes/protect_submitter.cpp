// POST /api/v1/submitters/{submitter}/protect: stops a submitter for its protection, until a person lifts it.
#include "api/command.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {

http::Route protect_submitter(Service& service) {
    return route_of(service, SubmitterAct{.kind = CommandKind::protect, .name = "protect"});
}

}  // namespace fencepost::api::routes
