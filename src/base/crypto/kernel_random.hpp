// Randomness for keys, directly from the kernel. Everything else (ids, load spreading) uses the Random port.
#pragma once

#include <cstdint>
#include <span>

namespace fencepost {

/// Up to 256 bytes. Throws StartupError if the kernel provides none.
void fill_from_kernel(std::span<std::uint8_t> bytes);

}  // namespace fencepost
