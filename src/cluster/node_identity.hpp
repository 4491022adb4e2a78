// Who a node is. Its owner id is the name its operator gave it and the incarnation of this process: a restarted process
// is never mistaken for its dead self, whose lease it must not write under, nor is one of two that were given one name.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "domain/ids.hpp"
#include "ports/random.hpp"

namespace fencepost::cluster {

/// "name/16 hexadecimal digits", drawn anew at every call. The name is 1 to 100 printable ASCII characters without a
/// space or slash.
[[nodiscard]] Result<NodeId, ParseError> new_incarnation(std::string_view name, Random& random);

}  // namespace fencepost::cluster
