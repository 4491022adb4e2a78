// Secrets must not outlive their use: a core dump, a swapped page or a reused buffer would show them. An ordinary fill
// of memory that is never read again is removed by the compiler; this one is not.
#pragma once

#include <cstdint>
#include <span>

namespace fencepost {

/// Overwrites with zeros, whatever the optimiser thinks of it.
void wipe(std::span<std::uint8_t> secret);

}  // namespace fencepost
