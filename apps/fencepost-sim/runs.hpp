// Many seeds, on all cores: each run is one thread's, and shares nothing with the others.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/simulation/simulation.hpp"

namespace fencepost::app {

/// As many seeds as there is time for.
inline constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();

struct RunPlan {
    std::uint64_t from = 1;
    std::uint64_t seeds = 1;
    std::size_t jobs = 1;
    sim::Mutant mutant = sim::Mutant::none;
    /// Of the program, for whoever reads of a failure.
    std::string commit = "unknown";
    /// Real time after which no new seed is begun.
    std::optional<std::chrono::seconds> at_most{};
    /// A mutant is caught once: the seeds after the first that broke its law are not needed.
    bool until_caught = false;
};

struct RunTotals {
    std::uint64_t runs = 0;
    std::vector<sim::RunReport> guilty;  // by seed
    sim::Counts counts;
    Duration virtual_time{};
};

/// Of one seed, with the plan's mutant.
[[nodiscard]] sim::Settings settings_of(std::uint64_t seed, const RunPlan& plan);

/// `progress` is called now and then, by one thread at a time.
[[nodiscard]] RunTotals run_all(const RunPlan& plan, const std::function<void(const RunTotals&)>& progress);

}  // namespace fencepost::app
