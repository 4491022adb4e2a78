// What the window must reach when it is left to itself (docs/internals/decisions/0031).
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
    std::uint64_t most_blocks = 0;
    /// When half of everything is mined, each submitter has at least half of the mean and at most twice as much.
    bool is_fair = false;
    /// The last submitter is done after at most three times as many blocks as the median one.
    bool leaves_none_behind = false;
    /// The first endpoint gets nothing more often.
    std::optional<std::size_t> most_sends{};
    /// Takes no more than a second or two also where nothing is optimised.
    bool is_quick = true;
};

[[nodiscard]] std::vector<WindowGoal> window_goals();

/// Gives up long after the goal is missed.
[[nodiscard]] BurstResult run_towards(const WindowGoal& goal, bool is_told = false);

/// What was missed, in words; empty when nothing was.
[[nodiscard]] std::string shortfall(const WindowGoal& goal, const BurstResult& result);

}  // namespace fencepost::bench
