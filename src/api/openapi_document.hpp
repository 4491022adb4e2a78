// The description of the API that the program serves is the one it was built with: docs/reference/openapi.json, which
// the end-to-end tests hold against what the program really does. The other half is made by the build.
#pragma once

#include <string_view>

namespace fencepost::api {

/// An OpenAPI 3.1 document, in JSON.
[[nodiscard]] std::string_view openapi_document();

}  // namespace fencepost::api
