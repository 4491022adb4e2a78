// POST /api/v1/submitters/{submitter}/resume: ends a pause. What is protected stays so: that is lifted by unprotect.
#include "api/command.hpp"
#include "api/routes/routes.hpp"

namespace fencepost::api::routes {

http::Route resume_submitter(Service& service) {
    return route_of(service, SubmitterAct{.kind = CommandKind::resume, .name = "resume"});
}

}  // namespace fencepost::api::routes
