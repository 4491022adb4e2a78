// The port for randomness, so that a simulated run is a function of its seed.
#pragma once

#include <cstdint>
#include <span>

#include "base/assert.hpp"

namespace fencepost {

/// Contract: independent, uniformly distributed bits. The system implementation is suitable for ids and load spreading;
/// signers use their own source for keys.
class Random {
public:
    virtual ~Random() = default;

    [[nodiscard]] virtual std::uint64_t bits() = 0;

    /// Uniform in [0, bound). The same bits give the same result on every platform, which standard distributions do not
    /// guarantee.
    [[nodiscard]] std::uint64_t below(std::uint64_t bound) {
        FP_ASSERT(bound > 0);
        const std::uint64_t bias_limit = -bound % bound;  // 2^64 mod bound: rejecting draws below it removes the bias
        for (;;) {
            const std::uint64_t draw = bits();
            if (draw >= bias_limit) return draw % bound;
        }
    }

    /// True once in `n` draws on average.
    [[nodiscard]] bool one_in(std::uint64_t n) { return below(n) == 0; }
};

}  // namespace fencepost
