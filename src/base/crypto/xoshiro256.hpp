// A small, fast generator with the same output for the same state on every platform, which the standard library does
// not guarantee. For ids, load spreading and simulations; never for keys.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace fencepost {

/// xoshiro256** 1.0 by Blackman and Vigna ("Scrambled linear pseudorandom number generators", 2019). The state must not
/// be all zero, which is a fixed point.
class Xoshiro256 {
public:
    using State = std::array<std::uint64_t, 4>;

    constexpr explicit Xoshiro256(const State& state) : s_(state) {}

    [[nodiscard]] constexpr std::uint64_t next() {
        const std::uint64_t result = std::rotl(s_[1] * 5, 7) * 9;
        const std::uint64_t shifted = s_[1] << 17U;
        s_[2] ^= s_[0];
        s_[3] ^= s_[1];
        s_[1] ^= s_[2];
        s_[0] ^= s_[3];
        s_[2] ^= shifted;
        s_[3] = std::rotl(s_[3], 45);
        return result;
    }

private:
    State s_;
};

}  // namespace fencepost
