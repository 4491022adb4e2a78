// Randomness that is a function of a seed, the same on every machine.
#pragma once

#include "ports/random.hpp"

namespace fencepost::sim {

/// SplitMix64: every seed, including 0 and consecutive ones, gives an unrelated sequence.
class SeededRandom : public Random {
public:
    explicit SeededRandom(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() override {
        state_ += 0x9e3779b97f4a7c15;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111eb;
        return z ^ (z >> 31U);
    }

    /// A separate generator for a part of the run, so that its draws do not shift those of other parts.
    [[nodiscard]] SeededRandom fork() { return SeededRandom(bits()); }

private:
    std::uint64_t state_;
};

}  // namespace fencepost::sim
