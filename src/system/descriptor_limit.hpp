// Limit of open files and sockets of this process. Many systems start at 1,024 and allow far more on request. A server
// needs one descriptor per connection; without them it can neither accept clients nor reach its database.
#pragma once

#include <cstdint>

namespace fencepost {

struct DescriptorLimit {
    std::uint64_t now = 0;
    std::uint64_t most = 0;  // the hard limit
};
[[nodiscard]] DescriptorLimit descriptor_limit();

/// Raises the soft limit to the hard limit. On failure the limit stays unchanged.
void raise_descriptor_limit();

}  // namespace fencepost
