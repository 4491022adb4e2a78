// Randomness fit for keys, straight from the kernel. Everything else (ids, spreading load) comes through the Random
// port.
#pragma once

#include <cstdint>
#include <span>

namespace fencepost {

/// Up to 256 bytes. Throws StartupError when the kernel gives none.
void fill_from_kernel(std::span<std::uint8_t> bytes);

}  // namespace fencepost
