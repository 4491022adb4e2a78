// The part of a request that says what is to be done on the chain. For the .cpp files of this module only.
#pragma once

#include "api/json/json_input.hpp"
#include "domain/intent.hpp"

namespace fencepost::api {

/// What is missing or wrong is noted, and the intent is then not to be used.
[[nodiscard]] Intent read_payload(const json::object& payload, Mistakes& mistakes);

}  // namespace fencepost::api
