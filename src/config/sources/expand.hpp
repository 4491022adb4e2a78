// ${NAME} in a value of the file stands for a variable of the environment, so that secrets need not lie in files. It is
// put in after the file was read: what a variable holds is text, and never becomes keys.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace fencepost::config {

using Environment = std::map<std::string, std::string, std::less<>>;

/// $$ is a dollar sign. The error is a predicate for whoever wrote it; `used` gets the names that were asked for.
[[nodiscard]] Result<std::string, std::string> expand(std::string_view text, const Environment& environment,
                                                      std::set<std::string>& used);

}  // namespace fencepost::config
