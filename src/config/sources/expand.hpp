// Expands ${NAME} in values of the file to environment variables, so that secrets need not be written to files. It runs
// after parsing: the content of a variable is always text, never YAML.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace fencepost::config {

using Environment = std::map<std::string, std::string, std::less<>>;

/// $$ is a dollar sign. The error is a predicate for the user; `used` receives the names that were expanded.
[[nodiscard]] Result<std::string, std::string> expand(std::string_view text, const Environment& environment,
                                                      std::set<std::string>& used);

}  // namespace fencepost::config
