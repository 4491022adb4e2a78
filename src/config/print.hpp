// Prints the effective configuration as a file that can be read again, with the source of each setting and without
// secrets.
#pragma once

#include <string>

#include "config/load.hpp"

namespace fencepost::config {

/// All global keys, set or not; for chains, submitters and signers only what was set.
[[nodiscard]] std::string print(const Loaded& loaded);
/// The same as JSON: {"items": [{"key", "value", "hidden", "from"}], "next": null}. A hidden item has no value; a
/// default has no "from".
[[nodiscard]] std::string print_json(const Loaded& loaded);

}  // namespace fencepost::config
