// Wipes secrets after use, so that a core dump, a swapped page or a reused buffer cannot reveal them. The compiler may
// remove an ordinary fill of memory that is not read again, but not this one.
#pragma once

#include <cstdint>
#include <span>

namespace fencepost {

/// Overwrites with zeros; never optimised away.
void wipe(std::span<std::uint8_t> secret);

}  // namespace fencepost
