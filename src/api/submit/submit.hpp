// Submits transactions, one or many: from the request to the response.
#pragma once

#include <vector>

#include "api/service.hpp"
#include "api/submit/tx_request.hpp"

namespace fencepost::api {

/// The rules for reading requests, with this request's header Idempotency-Key.
[[nodiscard]] Result<TxRequestRules, http::Response> request_rules(const Service& service,
                                                                   const http::Request& request);

/// One response per request, in order: 202 for a new one, 200 for a known one, or a problem.
[[nodiscard]] Task<std::vector<http::Response>> submit_transactions(Service* service, Caller caller,
                                                                    TxRequests requests);

}  // namespace fencepost::api
