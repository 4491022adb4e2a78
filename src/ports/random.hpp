// All randomness comes through here, so that a simulated run is a function of its seed.
#pragma once

#include <cstdint>
#include <span>

#include "base/assert.hpp"

namespace fencepost {

/// What an implementation promises: independent, uniformly distributed bits. The system's implementation is fit for
/// ids and for spreading load; keys are made by the signers with a source of their own.
class Random {
public:
    virtual ~Random() = default;

    [[nodiscard]] virtual std::uint64_t bits() = 0;

    /// Uniform in [0, bound). Same bits, same answer, on every platform (standard distributions do not promise that).
    [[nodiscard]] std::uint64_t below(std::uint64_t bound) {
        FP_ASSERT(bound > 0);
        const std::uint64_t unfair = -bound % bound;  // 2^64 mod bound: drawing again below it removes the bias
        for (;;) {
            const std::uint64_t draw = bits();
            if (draw >= unfair) return draw % bound;
        }
    }

    /// True once in `n` draws on average.
    [[nodiscard]] bool one_in(std::uint64_t n) { return below(n) == 0; }
};

}  // namespace fencepost
