// With `routing.enabled` a node accepts new transactions only for submitters that it serves. For any other submitter it
// names the node to use.
#pragma once

#include "api/service.hpp"
#include "base/async/task.hpp"

namespace fencepost::api {

/// Whether this node refuses new transactions of the submitter because another node serves it.
[[nodiscard]] bool is_served_elsewhere(const Service& service, const SubmitterId& submitter);

/// 409, with the node that holds the submitter's lease or should take it next, and its address, as far as known. That
/// node may be dead with its lease not yet expired; then a retry of the caller gets another one.
[[nodiscard]] Task<http::Response> not_owner(Service* service, SubmitterId submitter);

}  // namespace fencepost::api
