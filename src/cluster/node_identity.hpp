// The identity of a node: the configured name plus a random incarnation of this process. A restarted process must not
// write under the lease of its predecessor, and two nodes with the same name must stay distinct.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "domain/ids.hpp"
#include "ports/random.hpp"

namespace fencepost::cluster {

/// "name/16 hexadecimal digits", random at every call. The name is 1 to 100 printable ASCII characters without a space
/// or slash.
[[nodiscard]] Result<NodeId, ParseError> new_incarnation(std::string_view name, Random& random);

}  // namespace fencepost::cluster
