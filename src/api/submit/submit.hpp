// Handing in transactions, one or many: from what a caller asked for to the answer it gets.
#pragma once

#include <vector>

#include "api/service.hpp"
#include "api/submit/tx_request.hpp"

namespace fencepost::api {

/// What requests are read by, with this request's header Idempotency-Key.
[[nodiscard]] Result<TxRequestRules, http::Response> request_rules(const Service& service,
                                                                   const http::Request& request);

/// One answer for each, in order: 202 for what is new, 200 for what is known already, or a problem.
[[nodiscard]] Task<std::vector<http::Response>> hand_in(Service* service, Caller caller, TxRequests requests);

}  // namespace fencepost::api
