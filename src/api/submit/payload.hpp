// Reads the payload of a request: what to do on the chain. For the .cpp files of this module only.
#pragma once

#include "api/json/json_input.hpp"
#include "domain/intent.hpp"

namespace fencepost::api {

/// Records missing and invalid fields in `field_errors`; then do not use the intent.
[[nodiscard]] Intent read_payload(const json::object& payload, FieldErrors& field_errors);

}  // namespace fencepost::api
