#include "sim/fence_workload.hpp"

#include <set>

#include <gtest/gtest.h>

namespace fencepost::sim {
namespace {

using namespace std::chrono_literals;

FenceReport run(std::uint64_t seed, FenceMutant mutant = FenceMutant::none) {
    auto settings = FenceSettings::from_seed(seed, 10min);
    settings.mutant = mutant;
    return run_fence_workload(settings);
}

TEST(FenceWorkload, ASeedRunTwiceGivesTheSameTrace) {
    std::set<std::uint64_t> traces;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto first = run(seed);
        EXPECT_EQ(first.trace_hash, run(seed).trace_hash) << "seed " << seed;
        traces.insert(first.trace_hash);
    }
    EXPECT_EQ(traces.size(), 20U) << "other seeds, other traces";
}

TEST(FenceWorkload, Law1NoWriteLandsUnderAStaleFence) {
    std::uint64_t fenced = 0;
    std::uint64_t crashes = 0;
    std::uint64_t pauses = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const auto report = run(seed);
        EXPECT_EQ(report.violations, std::vector<std::string>{}) << "seed " << seed;
        EXPECT_GT(report.writes_applied, 50U) << "seed " << seed << " did not get on";
        fenced += report.writes_fenced;
        crashes += report.crashes;
        pauses += report.pauses;
    }
    // What the hundred runs threw at it; a run without faults would prove nothing.
    EXPECT_GT(fenced, 100U);
    EXPECT_GT(crashes, 500U);
    EXPECT_GT(pauses, 500U);
}

TEST(FenceWorkload, WithoutTheFenceEverySeedBreaksTheLaw) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        EXPECT_FALSE(run(seed, FenceMutant::no_fence).violations.empty()) << "seed " << seed;
    }
}

// Failure 19: the zombie self. A node that reopens its own unexpired lease under the old token lets its own late write
// in.
TEST(FenceWorkload, Failure19ATokenKeptOnReopeningIsCaught) {
    std::uint64_t caught = 0;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        if (!run(seed, FenceMutant::token_kept_on_reopening).violations.empty()) ++caught;
    }
    EXPECT_GT(caught, 40U);
}

}  // namespace
}  // namespace fencepost::sim
