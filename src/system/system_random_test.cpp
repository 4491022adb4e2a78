// Different seeds and uniform bits.
#include "system/system_random.hpp"

#include <array>
#include <set>

#include <gtest/gtest.h>

namespace fencepost {
namespace {

TEST(SystemRandom, GeneratorsStartDifferently) {
    std::set<std::uint64_t> first_draws;
    for (int i = 0; i < 1'000; ++i)
        first_draws.insert(SystemRandom().bits());
    EXPECT_EQ(first_draws.size(), 1'000U);
}

TEST(SystemRandom, BitsAreUniform) {
    constexpr int half = 50'000;
    SystemRandom random;
    std::array<int, 64> ones{};
    for (int i = 0; i < 2 * half; ++i) {
        const auto bits = random.bits();
        for (std::size_t bit = 0; bit < ones.size(); ++bit)
            ones[bit] += (bits >> bit & 1U) != 0 ? 1 : 0;
    }
    // Eight standard deviations of 158: fails by chance once in 10^13 runs.
    for (const int count : ones)
        EXPECT_NEAR(count, half, 8 * 158);
}

TEST(SystemRandom, BelowStaysBelow) {
    SystemRandom random;
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 10'000; ++i)
        seen.insert(random.below(6));
    EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1, 2, 3, 4, 5}));
}

}  // namespace
}  // namespace fencepost
