#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "window_goals.hpp"

namespace fencepost::bench {
namespace {

class WindowGoals : public testing::TestWithParam<WindowGoal> {};

// The long ones are in `script/bench window`.
TEST_P(WindowGoals, Failure53EachBurstIsMinedInTime) {
    const auto result = run_goal(GetParam());
    EXPECT_EQ(shortfall(GetParam(), result), "") << result.blocks << " blocks";
}

std::vector<WindowGoal> quick_ones() {
    auto goals = window_goals();
    std::erase_if(goals, [](const WindowGoal& goal) { return !goal.is_quick; });
    return goals;
}

INSTANTIATE_TEST_SUITE_P(Bursts, WindowGoals, testing::ValuesIn(quick_ones()),
                         [](const auto& goal) { return goal.param.burst.name; });

}  // namespace
}  // namespace fencepost::bench
