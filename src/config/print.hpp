// The configuration that is in force, as a file that could be read again, with where each setting came from. What is
// secret is not in it.
#pragma once

#include <string>

#include "config/load.hpp"

namespace fencepost::config {

/// Every key at the top, whether set or not; of chains, submitters and signers what was set.
[[nodiscard]] std::string print(const Loaded& loaded);
/// The same for programs: {"items": [{"key", "value", "hidden", "from"}], "next": null}. What is hidden has no value,
/// and a default is from nowhere.
[[nodiscard]] std::string print_json(const Loaded& loaded);

}  // namespace fencepost::config
