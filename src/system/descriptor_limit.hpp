// How many files and connections this process may have open. Many systems allow 1,024 at first, for programs of the
// last century, and far more to who asks: as many as a server has connections it must be able to open, or it can
// neither accept a client nor reach its database.
#pragma once

#include <cstdint>

namespace fencepost {

struct DescriptorLimit {
    std::uint64_t now = 0;
    std::uint64_t most = 0;  // that the process may ask for
};
[[nodiscard]] DescriptorLimit descriptor_limit();

/// Asks for the most. If that is refused, it stays as it was: it worked so far.
void raise_descriptor_limit();

}  // namespace fencepost
