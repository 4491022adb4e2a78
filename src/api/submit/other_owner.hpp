// Where each node takes new transactions only for the submitters that it serves (`routing.enabled`), a caller who came
// to another one is told where to go.
#pragma once

#include "api/service.hpp"
#include "base/async/task.hpp"

namespace fencepost::api {

/// Whether this node leaves new transactions of the submitter to another one.
[[nodiscard]] bool is_served_elsewhere(const Service& service, const SubmitterId& submitter);

/// 409, naming the node that holds the submitter's lease or is to take it next, and where it answers, as far as that is
/// known. It may be dead and its lease not expired yet: then the caller comes back, and finds another.
[[nodiscard]] Task<http::Response> not_owner(Service* service, SubmitterId submitter);

}  // namespace fencepost::api
