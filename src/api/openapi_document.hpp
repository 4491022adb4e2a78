// The OpenAPI document that the service returns, compiled in from docs/reference/openapi.json. The end-to-end tests
// compare it with the real behaviour. The build generates the definition.
#pragma once

#include <string_view>

namespace fencepost::api {

/// An OpenAPI 3.1 document, in JSON.
[[nodiscard]] std::string_view openapi_document();

}  // namespace fencepost::api
