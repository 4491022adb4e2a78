// The number of seeds for randomised tests.
#pragma once

#include <cstdint>

namespace fencepost::scenario {

/// Returns the requested number, or a fifth of it under the address sanitizer, which makes each run eight times slower.
[[nodiscard]] constexpr std::uint64_t seeds(std::uint64_t wanted) {
#if __has_feature(address_sanitizer)
    return (wanted + 4) / 5;
#else
    return wanted;
#endif
}

}  // namespace fencepost::scenario
