// The routes that the HTTP server itself provides, one function each, defined in the file of that name.
#pragma once

#include "http/router.hpp"

namespace fencepost::http::routes {

[[nodiscard]] Route livez();

}  // namespace fencepost::http::routes
