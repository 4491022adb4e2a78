// The API, one line a route; each is defined in the file of its name beside this one. docs/openapi.json tells the same
// to programs.
#pragma once

#include "api/service.hpp"

namespace fencepost::api::routes {

// Transactions.
[[nodiscard]] http::Route post_tx(Service& service);
[[nodiscard]] http::Route post_tx_batch(Service& service);
[[nodiscard]] http::Route get_tx(Service& service);
[[nodiscard]] http::Route get_tx_by_request(Service& service);
[[nodiscard]] http::Route list_tx(Service& service);

}  // namespace fencepost::api::routes
