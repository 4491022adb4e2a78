#include "ports/random.hpp"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace fencepost {
namespace {

/// Returns the given values in order.
class ScriptedRandom : public Random {
public:
    explicit ScriptedRandom(std::vector<std::uint64_t> draws) : draws_(std::move(draws)) {}
    std::uint64_t bits() override { return draws_.at(next_++); }
    [[nodiscard]] std::size_t drawn() const { return next_; }

private:
    std::vector<std::uint64_t> draws_;
    std::size_t next_ = 0;
};

TEST(Random, BelowIsTheRemainder) {
    ScriptedRandom random({1'000, 1'001, 1'006});
    EXPECT_EQ(random.below(7), 1'000U % 7);
    EXPECT_EQ(random.below(7), 1'001U % 7);
    EXPECT_EQ(random.below(1), 0U);
}

TEST(Random, BelowRejectsBiasedDraws) {
    // 2^64 mod 10 is 6: draws below 6 would make 0 to 5 more likely than 6 to 9.
    ScriptedRandom random({0, 5, 17});
    EXPECT_EQ(random.below(10), 7U);
    EXPECT_EQ(random.drawn(), 3U);
}

TEST(Random, OneInCountsZeroAsAHit) {
    ScriptedRandom random({20, 21});
    EXPECT_TRUE(random.one_in(10));
    EXPECT_FALSE(random.one_in(10));
}

}  // namespace
}  // namespace fencepost
