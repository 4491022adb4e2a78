// The API, one line a route; each is defined in the file of its name beside this one.
#pragma once

#include "http/router.hpp"

namespace fencepost::http::routes {

[[nodiscard]] Route livez();

}  // namespace fencepost::http::routes
