// The routes of the API, one function each, defined in the file of that name. docs/reference/openapi.json describes
// them for programs.
#pragma once

#include <vector>

#include "api/service.hpp"

namespace fencepost::api::routes {

// Transactions.
[[nodiscard]] http::Route post_tx(Service& service);
[[nodiscard]] http::Route post_tx_batch(Service& service);
[[nodiscard]] http::Route list_tx(Service& service);
[[nodiscard]] http::Route get_tx(Service& service);
[[nodiscard]] http::Route get_tx_by_request(Service& service);
[[nodiscard]] http::Route get_tx_history(Service& service);
[[nodiscard]] http::Route get_tx_attempts(Service& service);
[[nodiscard]] http::Route get_tx_confirmations(Service& service);
[[nodiscard]] http::Route get_tx_diagnosis(Service& service);

// Submitters.
[[nodiscard]] http::Route list_submitters(Service& service);
[[nodiscard]] http::Route get_submitter(Service& service);

/// Cancel, speed up, pause and so on: all routes that post a command to a lane.
[[nodiscard]] std::vector<http::Route> command_routes(Service& service);

// The service itself.
[[nodiscard]] http::Route get_chains(Service& service);
[[nodiscard]] http::Route get_cluster(Service& service);
[[nodiscard]] http::Route readyz(Service& service);
[[nodiscard]] http::Route metrics(Service& service);
[[nodiscard]] http::Route openapi(Service& service);

}  // namespace fencepost::api::routes
