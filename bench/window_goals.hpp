// The goals for the automatic window (docs/internals/decisions/0031).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "window_world.hpp"

namespace fencepost::bench {

struct WindowGoal {
    Burst burst;
    std::uint64_t max_blocks = 0;
    /// When half of all transactions are mined, every submitter's share is between half the mean and twice the mean.
    bool is_fair = false;
    /// The last submitter finishes after at most three times as many blocks as the median one.
    bool no_starvation = false;
    /// The maximum number of times the first endpoint receives the same bytes.
    std::optional<std::size_t> max_sends{};
    /// Takes at most a second or two even in unoptimised builds.
    bool is_quick = true;
};

[[nodiscard]] std::vector<WindowGoal> window_goals();

/// Stops long after the goal is missed.
[[nodiscard]] BurstResult run_goal(const WindowGoal& goal, bool verbose = false);

/// What was missed, as text; empty when the goal is reached.
[[nodiscard]] std::string shortfall(const WindowGoal& goal, const BurstResult& result);

}  // namespace fencepost::bench
