// Sanitises untrusted text for logs and terminals: it must not move the cursor, hide adjacent text, or break the
// encoding.
#pragma once

#include <cstddef>
#include <string>

#include "base/bytes.hpp"

namespace fencepost {

/// `text` as UTF-8 of at most about `max_bytes`. Control characters, bidirectional marks and invalid UTF-8 become
/// U+FFFD; truncation is marked by an ellipsis.
[[nodiscard]] std::string printable(ByteView text, std::size_t max_bytes);

}  // namespace fencepost
