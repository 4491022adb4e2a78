// How long a test that searches by seed goes on.
#pragma once

#include <cstdint>

namespace fencepost::scenario {

/// As many seeds as are asked for, or a fifth of them under the address sanitizer: it finds its mistakes in any run,
/// and makes each take eight times as long.
[[nodiscard]] constexpr std::uint64_t seeds(std::uint64_t wanted) {
#if __has_feature(address_sanitizer)
    return (wanted + 4) / 5;
#else
    return wanted;
#endif
}

}  // namespace fencepost::scenario
