// Text from a stranger that people will read in a log or a terminal: nothing in it may move the cursor, hide what
// stands beside it, or break the encoding.
#pragma once

#include <cstddef>
#include <string>

#include "base/bytes.hpp"

namespace fencepost {

/// `text` as UTF-8 of at most about `max_bytes`. Control characters, marks that change the direction of writing, and
/// what is not UTF-8 become U+FFFD; what is cut is marked by an ellipsis.
[[nodiscard]] std::string printable(ByteView text, std::size_t max_bytes);

}  // namespace fencepost
